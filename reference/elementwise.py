"""What PyTorch makes of elementwise operations, copies between types and sums.

    ATEN_CPU_CAPABILITY=avx2 python3 reference/elementwise.py      (PyTorch 2.15)

writes golden/elementwise.safetensors. Its metadata "cases" has one line for each case, words
separated by spaces:

    operation operand ... -> result

operand: "t", the name of the stored elements, then a list of sizes, one of strides, and the offset;
or a number, "True", "i-3" or "f0x1.8p+1". A list is its length and then its entries. result: "r", the
name of the stored elements (row-major), sizes, strides; or "x" where PyTorch refused. The operations
with a trailing underscore write into their first operand: there the result is the whole storage
afterwards. "add_scaled" and its kind take alpha as third operand; "to" takes a dtype's name; "sum"
takes a list of dimensions and whether they are kept.

Shapes are odd, so that no vector register is filled evenly; layouts are contiguous, transposed,
sliced with steps, expanded, of zero size, 0-dimensional. PyTorch has no uint16 arithmetic: such
cases are left out.
"""
import itertools
import os

import torch
from safetensors.torch import save_file

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
DTYPES = {"fp64": torch.float64, "fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16,
          "int64": torch.int64, "int32": torch.int32, "uint16": torch.uint16, "uint8": torch.uint8,
          "bool": torch.bool}
HALVES = ("bf16", "fp16")

stored, names, cases = {}, {}, []


def store(tensor):
    """The name of these elements; equal ones are stored once, as a strip."""
    strip = tensor.contiguous().clone().view(-1)
    key = (strip.dtype, strip.view(torch.uint8).numpy().tobytes() if strip.numel() else b"")
    if key not in names:
        names[key] = f"e{len(stored)}"
        stored[names[key]] = strip
    return names[key]


def listed(values):
    return " ".join(map(str, [len(values), *values]))


def fill(dtype, count, seed):
    """Elements of every kind: ordinary ones, then the special ones of the type."""
    g = torch.Generator().manual_seed(seed)
    if dtype == "bool":
        return torch.randint(0, 2, (count,), generator=g).bool()
    if dtype in ("fp64", "fp32", *HALVES):
        x = torch.randn(count, generator=g) * 10 ** (torch.rand(count, generator=g) * 8 - 4)
        special = torch.tensor([0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1.0, -1.0, 3e-41, 65504.0,
                                1e-7, 3e38, 0.1])
        x[torch.randperm(count, generator=g)[: min(count // 3, 12)]] = special[: min(count // 3, 12)]
        return x.to(DTYPES[dtype])
    high = {"int64": 2**20, "int32": 2**20, "uint16": 2**16, "uint8": 2**8}[dtype]
    low = 0 if dtype.startswith("u") else -high
    x = torch.randint(low, high, (count,), generator=g)
    if count > 6:
        x[:3] = torch.tensor([0, 1, high - 1])
    return x.to(DTYPES[dtype])


def layouts(shape):
    """Ways to have that shape: (elements of the storage, function of them)."""
    n = max(1, torch.Size(shape).numel())
    ways = {"contiguous": (n, lambda s: s.as_strided(shape, torch.empty(shape).stride()))}
    if len(shape) >= 2:
        turned = shape[:-2] + [shape[-1], shape[-2]]
        ways["transposed"] = (n, lambda s: s.as_strided(turned, torch.empty(turned).stride()).transpose(-1, -2))
    if shape:
        wide = shape[:-1] + [2 * shape[-1] + 1]
        m = max(1, torch.Size(wide).numel())
        ways["sliced"] = (m, lambda s: s.as_strided(wide, torch.empty(wide).stride())[..., 1::2])
        ways["repeated"] = (max(1, shape[-1]), lambda s: s[: shape[-1]].expand(shape))
    if len(shape) >= 3:
        order = [shape[-1], *shape[:-1]]
        ways["permuted"] = (n, lambda s: s.as_strided(order, torch.empty(order).stride()).permute(*range(1, len(shape)), 0))
    return ways


class Operand:
    made = 0

    def __init__(self, dtype, shape, way="contiguous", values=None):
        Operand.made += 1
        count, self.view = layouts(shape)[way]
        self.storage = fill(dtype, count, count + 1000 * (Operand.made % 3)) if values is None else values

    def text(self):
        x = self.view(self.storage)
        return f"t {store(self.storage)} {listed(x.shape)} {listed(x.stride())} {x.storage_offset()}"


def number_text(value):
    if isinstance(value, bool):
        return str(value)
    return f"i{value}" if isinstance(value, int) else f"f{value.hex()}"


FUNCTIONS = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "eq": torch.eq, "neg": torch.neg,
    "add_scaled": lambda a, b, alpha: torch.add(a, b, alpha=alpha),
    "sub_scaled": lambda a, b, alpha: torch.sub(a, b, alpha=alpha),
    "add_": lambda a, b: a.add_(b), "sub_": lambda a, b: a.sub_(b), "mul_": lambda a, b: a.mul_(b),
    "div_": lambda a, b: a.div_(b), "copy_": lambda a, b: a.copy_(b),
    "add_scaled_": lambda a, b, alpha: a.add_(b, alpha=alpha),
    "sub_scaled_": lambda a, b, alpha: a.sub_(b, alpha=alpha),
}


def record(name, *operands):
    texts = [o.text() if isinstance(o, Operand) else number_text(o) for o in operands]
    in_place = name.endswith("_")
    storages = [o.storage.clone() if isinstance(o, Operand) else None for o in operands]
    values = [o.view(s) if isinstance(o, Operand) else o for o, s in zip(operands, storages)]
    try:
        result = FUNCTIONS[name](*values)
    except (RuntimeError, NotImplementedError) as e:
        if "UInt16" in str(e) and "not implemented for" in str(e):
            return
        cases.append(f"{name} {' '.join(texts)} -> x")
        return
    if in_place:
        result = storages[0]
    cases.append(f"{name} {' '.join(texts)} -> r {store(result)} {listed(result.shape)} {listed(result.stride())}")


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
    FUNCTIONS["to"] = lambda x, dtype: x.to(DTYPES[dtype])
    for a, b in itertools.product(DTYPES, DTYPES):
        for way in ("contiguous", "transposed", "sliced", "repeated"):
            x = Operand(a, [5, 9], way, None)
            x.storage = in_range(b, a, len(x.storage))
            text = x.text()
            result = x.view(x.storage).to(DTYPES[b])
            cases.append(f"to {text} {b} -> r {store(result)} {listed(result.shape)} {listed(result.stride())}")


def sums():
    """Of small integers in every type, where every order of additions gives the same bits."""
    for dtype, shape in itertools.product(DTYPES, ([], [7], [0], [3, 5], [4, 0], [0, 3], [2, 3, 4], [1, 5], [70, 3])):
        for way in layouts(shape):
            x = Operand(dtype, shape, way)
            g = torch.Generator().manual_seed(len(x.storage))
            low = 0 if dtype in ("uint16", "uint8", "bool") else -1
            x.storage = torch.randint(low, 2, (len(x.storage),), generator=g).to(DTYPES[dtype])
            text, value = x.text(), x.view(x.storage)
            wanted = [[], [0], [-1], [0, -1]] + ([[0, 2], [1]] if len(shape) == 3 else [])
            if dtype == "fp32" and way == "contiguous":
                wanted += [[5], [0, 0], [-4], [1, 0, -1]]
            for over, keep in itertools.product(wanted, (False, True)):
                head = f"sum {text} {listed(over)} {int(keep)} ->"
                try:
                    result = torch.sum(value, over, keepdim=keep)
                except (RuntimeError, IndexError):
                    cases.append(f"{head} x")
                    continue
                cases.append(f"{head} r {store(result)} {listed(result.shape)} {listed(result.stride())}")


if __name__ == "__main__":
    assert torch.backends.cpu.get_cpu_capability() == "AVX2", "set ATEN_CPU_CAPABILITY=avx2"
    every_pair_of_types()
    numbers()
    shapes()
    conversions()
    sums()
    save_file(stored, os.path.join(GOLDEN, "elementwise.safetensors"), {"cases": "\n".join(cases)})
    print(len(cases), "cases,", sum("-> x" in c for c in cases), "of them refused")
