"""What PyTorch makes of elementwise operations, copies between types and sums.

    ATEN_CPU_CAPABILITY=avx2 python3 reference/elementwise.py      (PyTorch 2.15)

writes golden/elementwise.safetensors, in the form that recording.py describes. "add_scaled" and its kind
take alpha as third argument, "to" a dtype's name, "sum" a list of dimensions and whether they are kept.

Shapes are odd, so that no vector register is filled evenly; layouts are contiguous, transposed,
sliced with steps, expanded, of zero size, 0-dimensional. PyTorch has no uint16 arithmetic: such
cases are left out.
"""
import itertools

import torch

from recording import DTYPES, HALVES, Operand, Recorder, fill, layouts

recorder = Recorder("elementwise")

FUNCTIONS = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "eq": torch.eq, "neg": torch.neg,
    "add_scaled": lambda a, b, alpha: torch.add(a, b, alpha=alpha),
    "sub_scaled": lambda a, b, alpha: torch.sub(a, b, alpha=alpha),
    "add_": lambda a, b: a.add_(b), "sub_": lambda a, b: a.sub_(b), "mul_": lambda a, b: a.mul_(b),
    "div_": lambda a, b: a.div_(b), "copy_": lambda a, b: a.copy_(b),
    "add_scaled_": lambda a, b, alpha: a.add_(b, alpha=alpha),
    "to": lambda x, dtype: x.to(DTYPES[dtype]), "sum": torch.sum,
    "sub_scaled_": lambda a, b, alpha: a.sub_(b, alpha=alpha),
}


def record(name, *arguments):
    recorder.record(name, FUNCTIONS[name], *arguments)


def every_pair_of_types():
    """All pairs, broadcast, in layouts that take turns; the second operand too may be 0-dimensional."""
    ways = itertools.cycle(["contiguous", "transposed", "sliced", "repeated"])
    for a, b in itertools.product(DTYPES, DTYPES):
        for op in ("add", "sub", "mul", "div", "eq"):
            record(op, Operand(a, [3, 7], next(ways)), Operand(b, [7]))
        record("mul", Operand(a, [7]), Operand(b, []))
        record("add", Operand(a, [7]), Operand(b, []))
        record("add", Operand(a, []), Operand(b, [7]))
        record("div", Operand(a, []), Operand(b, []))
        for op in ("add_", "mul_", "div_", "sub_"):
            record(op, Operand(a, [3, 7], next(w for w in ways if w != "repeated")), Operand(b, [7]))
        record("copy_", Operand(a, [3, 7], "sliced"), Operand(b, [3, 7], next(ways), in_range(a, b, 45)))
        record("add_", Operand(a, []), Operand(b, []))
        record("mul_", Operand(a, [7]), Operand(b, []))


def in_range(to, source, count):
    """Values whose conversion C++ defines and PyTorch rounds once."""
    x = fill(source, count, 7 * count + list(DTYPES).index(source))
    if source in ("fp64", "fp32", *HALVES) and not to.startswith(("fp", "bf", "bool")):
        x = torch.nan_to_num(x.double(), nan=2.5, posinf=200.7, neginf=0.0).clamp(0 if to[0] == "u" else -99.5, 200)
        x = x.to(DTYPES[source])
    return x


def numbers():
    for dtype in DTYPES:
        for value in (True, 3, -2, 300, 0.1, 1e-3, 257, float("inf"), 2**40):
            for op in ("add", "sub", "mul", "div", "eq"):
                record(op, Operand(dtype, [19]), value)
            for op in ("add_", "sub_", "mul_", "div_"):
                record(op, Operand(dtype, [19], "sliced"), value)
        record("neg", Operand(dtype, [19]))
        record("neg", Operand(dtype, [5, 7], "transposed"))
        for alpha in (True, 2, -1, 0.1, 300, -3.5, 1, 1.0, False):
            record("add_scaled", Operand(dtype, [64]), Operand(dtype, [64]), alpha)
            record("sub_scaled", Operand(dtype, [2, 64]), Operand(dtype, [2, 64]), alpha)
            record("add_scaled_", Operand(dtype, [128]), Operand(dtype, [128]), alpha)
            # PyTorch's scalar code (tails and strided operands of halves, tails of a repeated b) rounds alpha b
            # before it adds: not recorded.
            if dtype in HALVES:
                continue
            record("add_scaled", Operand(dtype, [41]), Operand(dtype, [41]), alpha)
            record("sub_scaled", Operand(dtype, [5, 8], "transposed"), Operand(dtype, [5, 8]), alpha)
            record("sub_scaled_", Operand(dtype, [24], "sliced"), Operand(dtype, [24]), alpha)


def shapes():
    """Broadcast shapes in every pair of layouts, in FP32 and bf16."""
    pairs = [([], []), ([1], []), ([5], [5]), ([3, 5], [3, 5]), ([3, 5], [1, 5]), ([3, 1], [1, 5]), ([5], [3, 5]),
             ([2, 3, 17], [2, 3, 17]), ([2, 3, 17], [3, 1]), ([2, 1, 17], [4, 1, 3, 1]), ([0], [1]), ([0, 5], [1, 5]),
             ([], [0, 3]), ([2, 0, 3], [3]), ([0], [2]), ([3], [4]), ([2, 3], [3, 2]), ([1, 1, 3], [2, 1, 1]),
             ([3, 2, 4, 5], [4, 1]), ([33, 65], [33, 65]), ([40, 41], [41]), ([3, 2, 1, 2, 3], [2, 4, 2, 1])]
    for (a, b), dtype in itertools.product(pairs, ("fp32", "bf16")):
        for way_a, way_b in itertools.product(layouts(a), layouts(b)):
            record("add", Operand(dtype, a, way_a), Operand(dtype, b, way_b))
            if way_a != "repeated":
                record("mul_", Operand(dtype, a, way_a), Operand(dtype, b, way_b))


def conversions():
    for a, b in itertools.product(DTYPES, DTYPES):
        for way in ("contiguous", "transposed", "sliced", "repeated"):
            x = Operand(a, [5, 9], way, None)
            x.storage = in_range(b, a, len(x.storage))
            record("to", x, b)


def sums():
    """Of small integers in every type, where every order of additions gives the same bits."""
    for dtype, shape in itertools.product(DTYPES, ([], [7], [0], [3, 5], [4, 0], [0, 3], [2, 3, 4], [1, 5], [70, 3])):
        for way in layouts(shape):
            x = Operand(dtype, shape, way)
            g = torch.Generator().manual_seed(len(x.storage))
            low = 0 if dtype in ("uint16", "uint8", "bool") else -1
            x.storage = torch.randint(low, 2, (len(x.storage),), generator=g).to(DTYPES[dtype])
            wanted = [[], [0], [-1], [0, -1]] + ([[0, 2], [1]] if len(shape) == 3 else [])
            if dtype == "fp32" and way == "contiguous":
                wanted += [[5], [0, 0], [-4], [1, 0, -1]]
            for over, keep in itertools.product(wanted, (False, True)):
                record("sum", x, over, keep)


if __name__ == "__main__":
    assert torch.backends.cpu.get_cpu_capability() == "AVX2", "set ATEN_CPU_CAPABILITY=avx2"
    every_pair_of_types()
    numbers()
    shapes()
    conversions()
    sums()
    recorder.save()
