"""What PyTorch makes of functions, comparisons, selections, addcmul and lerp; elementwise.py has the rest of the
elementwise operations.

    ATEN_CPU_CAPABILITY=avx2 python3 reference/functions.py      (PyTorch 2.15)

writes golden/functions.safetensors, in the form that recording.py describes. gelu takes its form as a word.

Left out is what PyTorch does in two ways. Its scalar code (tails, strided operands) keeps the first of two equal
zeros where its vector code keeps the second, gives other signs of zero in lerp, and does not fuse in bf16 and
fp16. gelu of an infinite number is NaN there, and a condition may be uint8, which warns. A fractional value of
addcmul is cut for integers.
"""
import itertools

import torch
from torch.nn.functional import gelu

from recording import DTYPES, FLOATS, HALVES, INTEGERS, Operand, Recorder, fill

recorder = Recorder("functions")

REAL = ("exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid")
SAME = ("abs", "sign", "relu")
COMPARISONS = ("ne", "lt", "le", "gt", "ge")
BOUNDS = ((0, 1), (-3, 300), (None, 0.5), (0.25, None), (2, 1), (True, None), (300, None), (None, -1), (-5, -2),
          (float("nan"), None), (0, float("nan")), (float("-inf"), 7), (-1e40, 1e40), (None, None), (0.1, 1e5),
          (-2**40, 2**40), (2**40, None), (None, False))
FUNCTIONS = {
    **{name: getattr(torch, name) for name in (*REAL, *SAME, *COMPARISONS)},
    **{name: getattr(torch, name) for name in ("maximum", "minimum", "clamp", "where", "lerp")},
    "gelu": lambda x, form: gelu(x, approximate=form),
    "addcmul": lambda a, b, c, value: torch.addcmul(a, b, c, value=value),
    "addcmul_": lambda a, b, c, value: a.addcmul_(b, c, value=value),
    "lerp_": lambda a, b, weight: a.lerp_(b, weight),
    "clamp_": lambda a, low, high: a.clamp_(low, high),
}


def record(name, *arguments):
    recorder.record(name, FUNCTIONS[name], *arguments)


def ways():
    return itertools.cycle(["contiguous", "transposed", "sliced", "repeated"])


def plain(dtype, shape, way="contiguous", finite=False):
    """An operand whose zeros have no sign; finite: and without infinities."""
    x = Operand(dtype, shape, way)
    if dtype in FLOATS:
        x.storage[x.storage == 0] = 0
        if finite:
            x.storage[x.storage.isinf()] = 2.5
    return x


def flags(shape, way="contiguous"):
    return Operand("bool", shape, way)


def of_one():
    way = ways()
    for dtype in DTYPES:
        for name in (*REAL, *SAME):
            record(name, Operand(dtype, [19]))
            record(name, Operand(dtype, [3, 7], next(way)))
            record(name, Operand(dtype, []))
        for form in ("none", "tanh"):
            record("gelu", plain(dtype, [19], finite=True), form)
            record("gelu", plain(dtype, [3, 7], next(way), finite=True), form)
    for name, shape in itertools.product((*REAL, *SAME), ([0], [3, 0], [2, 3, 17], [1, 5])):
        for way_of in ("contiguous", "repeated"):
            record(name, Operand("fp32", shape, way_of))
    record("exp", Operand("fp32", [2, 3, 17], "permuted"))


def of_two():
    way = ways()
    for a, b in itertools.product(DTYPES, DTYPES):
        some = list(DTYPES).index(a) + 2 * list(DTYPES).index(b)
        two = (COMPARISONS[some % 5], "minimum" if some % 2 else "maximum")
        for name in ("maximum", *COMPARISONS) if a == b else two:
            record(name, plain(a, [3, 7], next(way)), plain(b, [7]))
        record("lt", Operand(a, [7]), Operand(b, []))
        record("maximum", plain(a, []), plain(b, [7]))
        record("where", flags([3, 1]), Operand(a, [3, 7], next(way)), Operand(b, [7]))
        record("where", flags([7]), Operand(a, []), Operand(b, [3, 1]))
    for dtype in FLOATS:  # both zeros, NaN on either side
        for name in ("maximum", "minimum"):
            x = torch.tensor([0.0, -0.0, float("nan"), 1.0] * 16).to(DTYPES[dtype])
            y = torch.tensor([-0.0, 0.0, 2.0, float("nan")] * 16).to(DTYPES[dtype])
            record(name, Operand(dtype, [64], values=x), Operand(dtype, [64], values=y))
    for shape_a, shape_b in (([2, 3, 17], [3, 1]), ([2, 1, 17], [4, 1, 3, 1]), ([0], [1]), ([2], [3])):
        record("ge", Operand("fp32", shape_a), Operand("fp32", shape_b))
        record("minimum", plain("bf16", shape_a), plain("bf16", shape_b))


def with_numbers():
    way = ways()
    for dtype in DTYPES:
        for i, value in enumerate((True, 3, -2, 300, 0.1, 257, float("inf"), float("nan"), 2**40)):
            for name in (COMPARISONS[i % 5], COMPARISONS[(i + 2) % 5]):
                record(name, Operand(dtype, [19], "sliced"), value)
            record("where", flags([19]), Operand(dtype, [19]), value)
            record("where", flags([3, 7], next(way)), value, Operand(dtype, [7]))
        for low, high in BOUNDS:
            record("clamp", Operand(dtype, [19]), low, high)
            if high in (0.5, 1, 300, -1):
                record("clamp_", Operand(dtype, [3, 5], "sliced"), low, high)
        record("clamp", Operand(dtype, [3, 7], next(way)), -1, 2)
        record("clamp", Operand(dtype, []), 0, None)
    for a, b in itertools.product((1, 2.5, True), (0, -0.5, False)):
        record("where", flags([3]), a, b)
    record("where", Operand("fp32", [3]), Operand("fp32", [3]), 1)
    record("where", Operand("int64", [3]), 1, 1)


def fused():
    for dtype in DTYPES:
        def strip(count=64):
            return Operand(dtype, [count])
        for value in (1, -2, True, 300) + ((0.1, -3.5, 1e40) if dtype in FLOATS else ()):
            record("addcmul", strip(), strip(), strip(), value)
            record("addcmul_", strip(), strip(), strip(), value)
            if dtype not in HALVES:
                record("addcmul", strip(41), strip(41), strip(41), value)
                record("addcmul", Operand(dtype, [5, 8], "transposed"), strip(8), Operand(dtype, [5, 1]), value)
                record("addcmul_", Operand(dtype, [24], "sliced"), strip(24), Operand(dtype, []), value)
        for weight in (0, 1, 0.3, 0.5, 0.49999, -0.5, 1.5, True, 1e40, float("nan")):
            record("lerp", strip(), strip(), weight)
            if weight in (0.3, 0.5, True):
                record("lerp_", strip(), strip(), weight)
            if dtype not in HALVES:
                record("lerp", plain(dtype, [5, 8], "transposed"), plain(dtype, [8]), weight)
                record("lerp", plain(dtype, [41]), plain(dtype, [41]), weight)
        record("lerp", strip(), strip(), strip())
        record("lerp", strip(), strip(), Operand(dtype, []))
        if dtype not in HALVES:
            record("lerp", plain(dtype, [5, 8], "transposed"), plain(dtype, [8]), Operand(dtype, [5, 1]))
    mixed = ("fp32", "int64", "bool")
    for a, b, c in itertools.product(mixed, mixed, mixed):
        record("addcmul", Operand(a, [19]), Operand(b, [2, 19]), Operand(c, [19]), 2)
    for a, b, c in itertools.product(("fp64", "fp32", "bf16"), repeat=3):
        record("lerp", Operand(a, [64]), Operand(b, [64]), Operand(c, [64]))
        record("lerp", Operand(a, [64]), Operand(b, [64]), Operand(c, []))
        record("lerp_", Operand(a, [64]), Operand(b, [64]), 0.3)
    record("addcmul", Operand("fp32", [2]), Operand("fp32", [3]), Operand("fp32", [2]), 1)
    record("addcmul_", Operand("fp32", [2]), Operand("fp32", [3, 2]), Operand("fp32", [2]), 1)
    record("addcmul", Operand("fp32", [2, 0]), Operand("fp32", [1]), Operand("fp32", [2, 1]), 1)
    record("lerp", Operand("fp32", [2, 1]), Operand("fp32", [3]), Operand("fp32", [4, 1, 1]))


if __name__ == "__main__":
    assert torch.backends.cpu.get_cpu_capability() == "AVX2", "set ATEN_CPU_CAPABILITY=avx2"
    of_one()
    of_two()
    with_numbers()
    fused()
    recorder.save()
