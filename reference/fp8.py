"""What PyTorch does with tensors of its FP8 types (float8_e4m3fn, float8_e5m2).

    ATEN_CPU_CAPABILITY=avx2 python3 reference/fp8.py      (PyTorch 2.15)

writes golden/fp8.safetensors, in the form that recording.py describes: conversions to and from every
type and layout, what moves or compares elements, and every operation that PyTorch refuses. Values are
such that PyTorch's way through float gives the same as one rounding. Products (mul, matmul) that some
of its loops take and others refuse are left out.
"""
import itertools

import torch

from recording import DTYPES, Operand, Recorder, layouts

FP8 = {"e4m3fn": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}
DTYPES.update(FP8)
INTEGERS = ("int64", "int32", "uint16", "uint8")
INF, NAN = float("inf"), float("nan")
EDGES = [0.0, -0.0, 1.0, -1.0, 2**-9, 2**-10, 3 * 2**-11, 2**-16, 2**-17, -3 * 2**-18, 2**-6, 2**-14, 17.0, 19.0, -25.0, 448.0,
         449.0, 463.9, 464.0, 464.00003, 480.0, -1000.0, 57344.0, 61439.0, 61440.0, -61440.0, 1e9, -1e30, INF, -INF, NAN]
recorder = Recorder("fp8")

FUNCTIONS = {
    "to": lambda x, dtype: x.to(DTYPES[dtype]), "copy_": lambda a, b: a.copy_(b), "fill_": lambda x, v: x.fill_(v),
    "eq": torch.eq, "ne": torch.ne, "abs": torch.abs, "where": torch.where,
    "cat": torch.cat, "stack": torch.stack, "index_select": torch.index_select,
    "add": torch.add, "sub": torch.sub, "div": torch.div, "neg": torch.neg, "sign": torch.sign, "exp": torch.exp,
    "log": torch.log, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "tanh": torch.tanh, "sigmoid": torch.sigmoid,
    "relu": torch.relu, "gelu": torch.nn.functional.gelu, "maximum": torch.maximum, "minimum": torch.minimum,
    "lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge, "lerp": torch.lerp, "addcmul": torch.addcmul,
    "clamp": torch.clamp, "sum": torch.sum, "mean": torch.mean, "prod": torch.prod, "max": torch.amax, "min": torch.amin,
    "argmax": torch.argmax, "argmin": torch.argmin, "softmax": torch.softmax, "log_softmax": torch.log_softmax,
    "cumsum": torch.cumsum, "sort": torch.sort, "topk": torch.topk, "rand": lambda x: torch.rand_like(x),
    "randn": lambda x: torch.randn_like(x), "randint": lambda x: torch.randint_like(x, 0, 3), "full": lambda v, dtype: torch.full((2,), v, dtype=DTYPES[dtype]),
}


def record(name, *arguments):
    recorder.record(name, FUNCTIONS[name], *arguments)


def elements(dtype, count, to=None):
    """Edges and numbers between; for integers those that both types hold or round once."""
    g = torch.Generator().manual_seed(count)
    x = torch.randn(count, generator=g) * 2 ** (torch.rand(count, generator=g) * 24 - 12)
    x[: min(count, len(EDGES))] = torch.tensor(EDGES)[torch.randperm(len(EDGES), generator=g)][:count]
    if dtype in INTEGERS or to in INTEGERS:
        low, high = (0, 200) if "uint8" in (dtype, to) else (0, 60000) if "uint16" in (dtype, to) else (-60000, 60000)
        x = torch.nan_to_num(x, nan=2.5, posinf=200.7, neginf=0.0).clamp(low, high)
    return x.to(DTYPES[dtype])


def operand(dtype, shape, way="contiguous", to=None):
    return Operand(dtype, shape, way, elements(dtype, Operand.elements(shape, way), to))


def conversions():
    for a, b in itertools.product(DTYPES, DTYPES):
        if a not in FP8 and b not in FP8:
            continue
        for shape in ([5, 9], [71]):
            for way in layouts(shape):
                record("to", operand(a, shape, way, b), b)
        record("copy_", operand(a, [3, 7], "sliced", b), operand(b, [3, 7], "transposed", a))
        record("copy_", operand(a, [3, 7], "transposed", b), operand(b, [7], "contiguous", a))
        for shape in ([], [0], [3, 0]):
            record("to", operand(a, shape, "contiguous", b), b)
    for dtype in FP8:  # all codes there, and back
        codes = torch.arange(256, dtype=torch.uint8).view(FP8[dtype])
        for b in ("fp64", "fp32", "bf16", "fp16", "bool", *FP8):
            record("to", Operand(dtype, [256], "contiguous", codes), b)


def moves(dtype):
    for shape in ([3, 7], [2, 3, 5], [40]):
        for way in layouts(shape):
            x = operand(dtype, shape, way)
            record("cat", [x, operand(dtype, shape)], 0)
            record("stack", [x, operand(dtype, shape)], -1)
            record("index_select", x, -1, Operand("int64", [4], "contiguous", torch.tensor([2, 0, 2, 1])))
            record("abs", x)
            for op in ("eq", "ne"):
                record(op, x, operand(dtype, shape, "contiguous"))
                for number in (1.0, 449.0, 2):
                    record(op, x, number)
            condition = Operand("bool", shape[-1:], "contiguous", torch.arange(shape[-1]) % 3 == 0)
            record("where", condition, x, operand(dtype, shape))
    for number in (0, 1, True, -3, 1.5, 17.0, 448.0, 449, 1000, 57344.0, 57345.0, INF, -INF, NAN):
        record("fill_", operand(dtype, [3, 5], "sliced"), number)
        record("full", number, dtype)
    for other in DTYPES:
        if other != dtype:
            for op in ("eq", "cat"):
                pair = [operand(dtype, [5]), operand(other, [5])]
                record(op, *([pair, 0] if op == "cat" else pair))


def refused(dtype):
    x = operand(dtype, [3, 5])
    for op in ("neg", "sign", "exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "relu", "gelu", "rand", "randn", "randint", "sum",
               "mean"):
        record(op, x)
    for op in ("add", "sub", "div", "maximum", "minimum", "lt", "le", "gt", "ge"):
        record(op, x, x)
        record(op, x, operand("fp32", [3, 5]))
    for op in ("prod", "max", "min", "argmax", "argmin", "softmax", "log_softmax", "cumsum", "sort"):
        record(op, x, 1)
    record("topk", x, 2)
    record("clamp", x, 0.0, 1.0)
    record("lerp", x, x, 0.5)
    record("addcmul", x, x, x)


if __name__ == "__main__":
    assert torch.backends.cpu.get_cpu_capability() == "AVX2", "set ATEN_CPU_CAPABILITY=avx2"
    conversions()
    for name in FP8:
        moves(name)
        refused(name)
    recorder.save()
