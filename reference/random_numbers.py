"""What PyTorch's generator draws (torch 2.15). Run twice:

ATEN_CPU_CAPABILITY=avx2 writes golden/random_numbers.safetensors: what it draws on today's processors
(avx512 gives the same bits). ATEN_CPU_CAPABILITY=default writes golden/random_groups.safetensors: of the
same calls, those that draw normal values in groups of 16 in FP32, by PyTorch's scalar code. Its vector
code has logarithm, sine and cosine of its own there, and nowhere else a part in the draws.

Each tensor is named by the call that drew it, "stream step call arguments", for instance
"021 003 randint int64 17 -5 1099511627776", so that a test can read the calls in the order of their
names and repeat them:

    seed S                        manual_seed (no numbers)
    rand DTYPE N                  randn DTYPE N           randperm DTYPE N
    uniform DTYPE N LOW HIGH      randint DTYPE N LOW HIGH
    trunc DTYPE N MEAN STD LOW HIGH                       nn.init.trunc_normal_

A stream that does not begin with a seed begins with a new torch.Generator.
"""
import os
import random
import warnings

import torch
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
DTYPES = {"fp64": torch.float64, "fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16,
          "int64": torch.int64, "int32": torch.int32, "uint16": torch.uint16, "uint8": torch.uint8, "bool": torch.bool}
FLOATING = ["fp64", "fp32", "bf16", "fp16"]
SIZES = [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 100]


def draw(call, dtype, n, *arguments):
    dtype = DTYPES[dtype]
    if call == "rand":
        return torch.rand(n, dtype=dtype)
    if call == "randn":
        return torch.randn(n, dtype=dtype)
    if call == "randperm":
        return torch.randperm(n, dtype=dtype)
    if call == "randint":
        return torch.randint(*arguments, (n,), dtype=dtype)
    if call == "uniform":
        return torch.empty(n, dtype=dtype).uniform_(*arguments)
    assert call == "trunc"
    return torch.nn.init.trunc_normal_(torch.empty(n, dtype=dtype), *arguments)


def draws_groups(call, dtype, n, *arguments):
    if dtype == "fp64" or n < 16 or call not in ("randn", "trunc"):
        return False
    if call == "randn":
        return True
    mean, std, low, high = arguments
    below = torch.distributions.Normal(0.0, 1.0).cdf
    share = below(torch.tensor((high - mean) / std)) - below(torch.tensor((low - mean) / std))
    return share.item() > 0.3  # trunc_normal_ draws uniform values otherwise


class Recorder:
    def __init__(self):
        self.tensors, self.groups, self.stream, self.step = {}, {}, -1, 0

    def begin(self, seed=None):
        self.stream, self.step = self.stream + 1, 0
        if seed is not None:
            self.seed(seed)

    def seed(self, seed):
        torch.manual_seed(seed)
        self.keep(torch.zeros(0, dtype=torch.uint8), "seed", seed)

    def call(self, *call):
        self.keep(draw(*call), *call)

    def keep(self, tensor, *call):
        words = " ".join(repr(word) if isinstance(word, float) else str(word) for word in call)
        name = f"{self.stream:03} {self.step:03} {words}"
        self.tensors[name] = tensor
        if call[0] != "seed" and draws_groups(*call):
            self.groups[name] = tensor
        self.step += 1


def record_seeds(r):
    r.begin()
    torch.manual_seed(torch.Generator().initial_seed())
    r.call("rand", "fp32", 3)
    for seed in (0, 7, 2**32 + 7, 2**64 - 1, -1, -5, -(2**63), 5489):
        r.begin(seed)
        r.call("rand", "fp32", 2)


def record_sizes(r):
    for dtype in FLOATING:
        for call in ("rand", "randn"):
            for n in SIZES + [1000]:
                r.begin(3)
                r.call(call, dtype, n)


def record_uniform(r):
    ranges = [(-0.25, 0.25), (1.0, 3.0), (0.1, 0.1), (-1 / 16, 1 / 16), (1.0, 1.0 + 2**-7), (-3.0, -1 / 3), (0.0, 1e-7), (-60000.0, 5000.0)]
    for dtype in FLOATING:
        r.begin(4)
        for low, high in ranges:
            r.call("uniform", dtype, 50, low, high)
    r.begin(5)  # a range of a few numbers: rounding up to the end gives the beginning
    r.call("uniform", "fp32", 100, 1.0, 1.0 + 2**-22)
    r.call("uniform", "fp64", 100, 1.0, 1.0 + 2**-51)
    r.call("uniform", "fp32", 20, -1.7e38, 1.7e38)
    r.call("uniform", "fp64", 20, -8e307, 8e307)


def record_integers(r):
    ranges = {
        "int64": [(0, 1), (0, 2), (-7, 8), (0, 1000), (0, 50257), (0, 2**28 - 1), (0, 2**28), (-(2**27), 2**27), (0, 2**31), (0, 2**32),
                  (-5, 2**40), (0, 2**62 + 2**61), (-(2**63), 2**63 - 1), (2**63 - 10, 2**63 - 1), (-(2**63), -(2**63) + 3)],
        "int32": [(0, 10), (-(2**31), 2**31), (-3, 2**31), (2**31 - 2, 2**31), (0, 2**28)],
        "uint16": [(0, 65536), (100, 300), (65535, 65536)],
        "uint8": [(0, 256), (255, 256), (3, 9)],
        "bool": [(0, 2), (0, 1), (1, 2)],
        "fp64": [(0, 10), (-5, 2**40), (2**53, 2**53 + 10), (-(2**53) - 9, -(2**53)), (-(2**62), 2**62)],
        "fp32": [(0, 10), (-3, 2**24 + 1), (2**24, 2**24 + 7), (-(2**24) - 9, -(2**24)), (0, 2**28), (0, 2**40 + 1)],
        "bf16": [(0, 10), (0, 257), (0, 258), (0, 260), (-300, -257), (1000, 1010), (-(2**20), 2**20), (2**30 + 1, 2**30 + 2**25 + 5)],
        "fp16": [(0, 10), (-2050, 2050), (2048, 2060), (-2060, -2049), (0, 65505), (-65504, 65504), (60000, 60010)],
    }
    for dtype, pairs in ranges.items():
        r.begin(6)
        for low, high in pairs:
            r.call("randint", dtype, 20, low, high)
    for dtype, most in {"int64": 5000, "int32": 100, "uint8": 256, "fp64": 33, "fp32": 100, "bf16": 257, "fp16": 2049}.items():
        r.begin(8)
        for n in (0, 1, 2, 3, 10, most):
            r.call("randperm", dtype, n)


def record_cut_normal(r):
    cases = [(0.0, 1.0, -3.0, 3.0), (0.0, 1 / 16, -3 / 16, 3 / 16), (1.0, 2.0, 0.0, 3.0), (0.5, 1.0, -0.4, 4.0), (0.0, 1.0, -0.1, 0.2),
             (0.0, 1.0, 2.0, 3.0), (10.0, 2.0, -4.0, 5.0), (0.0, 1.0, 1.5, 2.5), (0.0, 1.0, float("-inf"), float("inf")), (0.0, 1.0, 0.5, 0.5)]
    for dtype in FLOATING:
        for case in cases:
            r.begin(9)
            r.call("trunc", dtype, 10, *case)
            r.call("trunc", dtype, 300, *case)
            r.call("rand", "fp32", 1)  # the stream stands where PyTorch's stands
    for dtype in ("bf16", "fp16"):  # enough values that every rounding of the density shows
        for case in [(0.0, 1.0, 2.0, 3.0), (10.3, 1.7, 4.0, 7.0)]:
            r.begin(10)
            r.call("trunc", dtype, 4000, *case)
            r.call("rand", "fp32", 1)


def record_mixtures(r):
    """Held-back normal values across calls, dtypes and new seeds."""
    choose = random.Random(2026)
    r.begin(11)
    for call in ["randn fp32 1", "randn fp32 16", "rand fp32 1", "randn fp64 1", "randn bf16 3", "randn fp16 20", "randn fp16 2", "randn fp64 17", "randn fp32 1"]:
        name, dtype, n = call.split()
        r.call(name, dtype, int(n))
    r.seed(11)  # a value held back is forgotten
    r.call("randn", "fp32", 1)
    r.seed(12)
    r.call("randn", "fp32", 2)
    for stream in range(6):
        r.begin(100 + stream)
        for _ in range(60):
            dtype, n = choose.choice(FLOATING), choose.choice(SIZES[:-1])
            call = choose.choice(["rand", "randn", "randn", "randn", "uniform", "randint", "randperm", "trunc", "seed"])
            if call in ("rand", "randn"):
                r.call(call, dtype, n)
            elif call == "uniform":
                r.call(call, dtype, n, -choose.random(), choose.random())
            elif call == "randint":
                r.call(call, choose.choice(["int64", "int32", "fp32", "uint8"]), n, choose.randrange(100), choose.randrange(100, 257))
            elif call == "randperm":
                r.call(call, choose.choice(["int64", "int32", "fp32"]), n)
            elif call == "trunc":
                r.call(call, "fp32", n, 0.0, 1.0, -choose.random() - 0.5, choose.random() + 0.5)
            elif choose.random() < 0.3:
                r.seed(choose.randrange(-10, 10))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # ranges that a dtype cannot hold densely, cuts far from the mean
    recorder = Recorder()
    for part in (record_seeds, record_sizes, record_uniform, record_integers, record_cut_normal, record_mixtures):
        part(recorder)
    if torch.backends.cpu.get_cpu_capability() == "DEFAULT":
        save_file(recorder.groups, f"{HERE}/golden/random_groups.safetensors")
    else:
        save_file(recorder.tensors, f"{HERE}/golden/random_numbers.safetensors")
    print(len(recorder.tensors), "calls,", len(recorder.groups), "with groups of 16 in FP32")
