"""Steps of torch.amp.GradScaler on the CPU, with infinities and NaN among the gradients.

golden/loss_scaling.safetensors: for each run "NAME.how" (first scale, growth, backoff, interval), and
for each of its steps the scaled gradients "NAME.fp32.given", "NAME.bf16.given", "NAME.fp64.given", what
unscale_ made of them (".unscaled"), whether the optimizer's step ran, and then the scale and the
number of good steps.
"""
import os
import torch
from safetensors.torch import save_file
from recording import DTYPES, GOLDEN

KINDS = ("fp32", "bf16", "fp64")
RUNS = {"defaults": (65536.0, 2.0, 0.5, 2000), "quick": (1024.0, 2.0, 0.5, 3), "odd": (3.0, 1.7, 0.3, 2),
        "at_the_limit": (1e38, 2.0, 0.5, 1), "below_one": (0.0625, 2.0, 0.5, 4)}


class Counts(torch.optim.SGD):
    steps = 0

    def step(self):
        self.steps += 1


def run(name, how, steps=40):
    g = torch.Generator().manual_seed(len(name))
    scaler = torch.amp.GradScaler("cpu", how[0], how[1], how[2], how[3])
    parameters = {kind: torch.nn.Parameter(torch.zeros(5, dtype=DTYPES[kind])) for kind in KINDS}
    optimizer = Counts(parameters.values())
    rows = {}
    note = lambda key, value: rows.setdefault(f"{name}.{key}", []).append(value)
    for step in range(steps):
        scaler.scale(torch.ones(()))
        for n, (kind, p) in enumerate(parameters.items()):
            p.grad = (torch.randn(5, generator=g) * 10 ** (torch.rand(5, generator=g) * 60 - 30)).to(p.dtype)
            if step % 7 == 2 + n:
                p.grad[step % 5] = (float("inf"), -float("inf"), float("nan"))[step // 7 % 3]
            if kind == "fp64" and step % 11 == 0:
                p.grad[0] = 1e300  # finite, though not in fp32
            note(f"{kind}.given", p.grad.clone())
        scaler.unscale_(optimizer)
        before = optimizer.steps
        scaler.step(optimizer)
        scaler.update()
        for kind, p in parameters.items():
            note(f"{kind}.unscaled", p.grad.clone())
        note("ran", torch.tensor(optimizer.steps - before))
        note("scale", torch.tensor(scaler.get_scale()))
        note("good", torch.tensor(scaler._get_growth_tracker()))
    return {f"{name}.how": torch.tensor(how, dtype=torch.float64), **{k: torch.stack(v) for k, v in rows.items()}}


stored = {}
for name, how in RUNS.items():
    stored |= run(name, how)
save_file(stored, os.path.join(GOLDEN, "loss_scaling.safetensors"))
for name in RUNS:
    print(name, int(stored[f"{name}.ran"].sum()), "steps,", stored[f"{name}.scale"].unique().tolist())
