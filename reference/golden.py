"""Number formats, the random generator, small losses and AdamW steps (torch 2.15, ml_dtypes 0.6).

Run twice: with ATEN_CPU_CAPABILITY=default (scalar code) it writes golden/formats.safetensors,
golden/random.safetensors and golden/losses.json; with =avx2 (vector code) golden/adamw.safetensors
(50 AdamW steps, both orders).
"""
import json, math, os
import ml_dtypes, numpy as np, torch
from safetensors.numpy import save_file

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")


def formats():
    t = {}
    small = {"e4m3fn": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2, "e2m1fn": ml_dtypes.float4_e2m1fn, "e8m0fnu": ml_dtypes.float8_e8m0fnu}
    for name, dtype in small.items():
        codes = np.arange(16 if name == "e2m1fn" else 256, dtype=np.uint8)
        t[f"decode.{name}"] = codes.view(dtype).astype(np.float32)
    bf16 = np.arange(65536, dtype=np.uint16).view(ml_dtypes.bfloat16).astype(np.float32)
    fp16 = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    for source, x in (("bf16", bf16), ("fp16", fp16)):
        for name in ("e4m3fn", "e5m2", "e2m1fn"):  # all finite and special inputs; e4m3fn: overflow gives NaN, e2m1fn saturates
            with np.errstate(all="ignore"):
                t[f"encode.{source}.{name}"] = x.astype(small[name]).view(np.uint8)
    rng = np.random.default_rng(336)
    bits = np.concatenate([rng.integers(0, 2**32, 20000, dtype=np.uint64).astype(np.uint32),
                           (np.arange(0, 65536, 7, dtype=np.uint32) << 16) + 0x8000,      # ties
                           (np.arange(0, 65536, 7, dtype=np.uint32) << 16) + 0x7FFF,
                           (np.arange(0, 65536, 7, dtype=np.uint32) << 16) + 0x8001])
    x = bits.view(np.float32)
    x = x[~np.isnan(x)]
    t["encode.fp32.input"] = x
    with np.errstate(all="ignore"):
        t["encode.fp32.bf16"] = x.astype(ml_dtypes.bfloat16).view(np.uint16)
        t["encode.fp32.fp16"] = x.astype(np.float16).view(np.uint16)
        t["encode.fp32.e4m3fn"] = x.astype(ml_dtypes.float8_e4m3fn).view(np.uint8)
        t["encode.fp32.e5m2"] = x.astype(ml_dtypes.float8_e5m2).view(np.uint8)
    save_file(t, f"{OUT}/formats.safetensors")


def random_numbers():
    t = {}
    for seed in (0, 1, 42):
        for n in (1, 15, 16, 17, 100):
            for name, draw in {"rand": lambda: torch.rand(n), "randn": lambda: torch.randn(n), "randint1000": lambda: torch.randint(0, 1000, (n,)), "randperm": lambda: torch.randperm(n)}.items():
                torch.manual_seed(seed)
                t[f"seed{seed}.{name}.{n}"] = draw().numpy()
        torch.manual_seed(seed)  # one stream, several draws in a row
        t[f"seed{seed}.mixed"] = torch.cat([torch.randn(3), torch.rand(5), torch.randn(16), torch.randint(0, 256, (4,)).float(), torch.randn(2)]).numpy()
    save_file(t, f"{OUT}/random.safetensors")


def adamw(steps=50, n=256):
    """Gradients g[t] are given, so only the update rule is compared, bit for bit.

    PyTorch's vector code (AVX2 and AVX-512 alike) fuses the two moment updates; its scalar code does not.
    Run this part with ATEN_CPU_CAPABILITY=avx2: what PyTorch does on today's processors.
    """
    torch.manual_seed(0)
    p0 = torch.randn(n)
    g = torch.randn(steps, n) * torch.logspace(-9, 1, n)  # from far below eps to large
    runs = {}
    for name, options in {"torch_default": {}, "torch_fused": {"fused": True}}.items():
        p = torch.nn.Parameter(p0.clone())
        opt = torch.optim.AdamW([p], lr=1e-2, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, **options)
        trace = []
        for t in range(steps):
            p.grad = g[t].clone()
            opt.step()
            trace.append(p.detach().clone())
        runs[name] = torch.stack(trace).numpy()
    print("default and fused differ in", int((runs["torch_default"].view(np.uint32) != runs["torch_fused"].view(np.uint32)).sum()), "of", steps * n)
    q, m, v, paper = p0.clone(), torch.zeros(n), torch.zeros(n), []
    for t in range(1, steps + 1):  # assignment 1: alpha_t folds both corrections, eps beside sqrt(v), decay after
        m = 0.9 * m + 0.1 * g[t - 1]
        v = 0.999 * v + 0.001 * g[t - 1] ** 2
        q = q - 1e-2 * math.sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (v.sqrt() + 1e-8)
        q = q - 1e-2 * 0.01 * q
        paper.append(q.clone())
    save_file({"p0": p0.numpy(), "grad": g.numpy(), **runs, "assignment_order": torch.stack(paper).numpy()}, f"{OUT}/adamw.safetensors")


def losses():
    torch.manual_seed(0)
    x = torch.randn(4, 5, requires_grad=True)
    y = torch.tensor([0, 4, 2, 2])
    loss = torch.nn.functional.cross_entropy(x, y)
    loss.backward()
    w = torch.tensor([1.0, 1.0], requires_grad=True)
    out = {"cross_entropy": {"logits": x.detach().tolist(), "target": y.tolist(), "loss": loss.item(), "grad": x.grad.tolist()}}
    curvature, valley = torch.tensor([100.0, 1.0]), {}
    makers = {"sgd lr 0.019": lambda p: torch.optim.SGD(p, lr=0.019), "sgd lr 0.021": lambda p: torch.optim.SGD(p, lr=0.021),
              "momentum 0.9 lr 0.018": lambda p: torch.optim.SGD(p, lr=0.018, momentum=0.9), "adagrad lr 0.5": lambda p: torch.optim.Adagrad(p, lr=0.5),
              "rmsprop lr 0.05": lambda p: torch.optim.RMSprop(p, lr=0.05), "adam lr 0.5": lambda p: torch.optim.Adam(p, lr=0.5), "adamw lr 0.1": lambda p: torch.optim.AdamW(p, lr=0.1)}
    for name, make in makers.items():
        w = torch.tensor([1.0, 1.0], requires_grad=True)
        opt, trace = make([w]), []
        for _ in range(101):
            opt.zero_grad()
            loss = 0.5 * (curvature * w * w).sum()
            trace.append(loss.item())
            loss.backward()
            opt.step()
        valley[name] = {str(k): trace[k] for k in (0, 1, 2, 5, 10, 20, 50, 100)}
    out["valley"] = valley
    json.dump(out, open(f"{OUT}/losses.json", "w"), indent=1)


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    if torch.backends.cpu.get_cpu_capability() == "DEFAULT":
        formats(); random_numbers(); losses()
    else:
        adamw()
