"""How recorded operations are written down, for the scripts beside this one.

A Recorder writes golden/NAME.safetensors. Its metadata "cases" has one line for each case, words
separated by spaces:

    operation argument ... -> result ...

argument: "t", the name of the stored elements, a list of sizes, one of strides, and the offset: a
tensor; "m", a count, and so many tensors; "l" and a list of integers; "w" and a word; or a number,
"True", "i-3" or "f0x1.8p+1"; "n" for None. A list is its length and then its entries. results: each
"r", the name of the stored elements (row-major), sizes, strides; or "x" where PyTorch refused. An
operation with a trailing underscore writes into its first argument: its result is the whole storage
afterwards. common/tensor/testing/recorded_cases.cpp reads it.
"""
import os

import torch
from safetensors.torch import save_file

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
DTYPES = {"fp64": torch.float64, "fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16,
          "int64": torch.int64, "int32": torch.int32, "uint16": torch.uint16, "uint8": torch.uint8,
          "bool": torch.bool}
HALVES = ("bf16", "fp16")
FLOATS = ("fp64", "fp32", *HALVES)
INTEGERS = ("int64", "int32", "uint16", "uint8")


def listed(values):
    return " ".join(map(str, [len(values), *values]))


def fill(dtype, count, seed):
    """Elements of every kind: ordinary ones, then the special ones of the type."""
    g = torch.Generator().manual_seed(seed)
    if dtype == "bool":
        return torch.randint(0, 2, (count,), generator=g).bool()
    if dtype in FLOATS:
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


def small_integers(dtype, count, seed, low=-3, high=4):
    """Integers whose sums and products are exact in every type; not negative where the type cannot be."""
    g = torch.Generator().manual_seed(seed)
    if dtype in ("uint16", "uint8", "bool"):
        low = 0
    return torch.randint(low, 2 if dtype == "bool" else high, (count,), generator=g).to(DTYPES[dtype])


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
    """A tensor of that dtype, shape and layout; its elements are `values` or those of fill()."""
    made = 0

    def __init__(self, dtype, shape, way="contiguous", values=None):
        Operand.made += 1
        count, self.view = layouts(shape)[way]
        self.storage = fill(dtype, count, count + 1000 * (Operand.made % 3)) if values is None else values

    @staticmethod
    def elements(shape, way="contiguous"):
        """How many elements the storage of such an operand has."""
        return layouts(shape)[way][0]

    def tensor(self):
        return self.view(self.storage)


class Recorder:
    def __init__(self, name):
        self.path = os.path.join(GOLDEN, f"{name}.safetensors")
        self.stored, self.names, self.cases = {}, {}, []

    def store(self, tensor):
        """The name of these elements; equal ones are stored once, as a strip."""
        strip = tensor.clone(memory_format=torch.contiguous_format).view(-1)
        key = (strip.dtype, strip.view(torch.uint8).numpy().tobytes() if strip.numel() else b"")
        if key not in self.names:
            self.names[key] = f"e{len(self.stored)}"
            self.stored[self.names[key]] = strip
        return self.names[key]

    def text(self, argument):
        if isinstance(argument, Operand):
            x = argument.tensor()
            return f"t {self.store(argument.storage)} {listed(x.shape)} {listed(x.stride())} {x.storage_offset()}"
        if isinstance(argument, (list, tuple)) and argument and isinstance(argument[0], Operand):
            return f"m {len(argument)} " + " ".join(map(self.text, argument))
        if isinstance(argument, (list, tuple)):
            return f"l {listed(argument)}"
        if argument is None:
            return "n"
        if isinstance(argument, bool):
            return str(argument)
        if isinstance(argument, str):
            return f"w {argument}"
        return f"i{argument}" if isinstance(argument, int) else f"f{argument.hex()}"

    def record(self, name, function, *arguments):
        """Calls the function on clones of the arguments' tensors and writes down what came out."""
        head = f"{name} {' '.join(map(self.text, arguments))} ->"
        storages = []

        def value(a):
            if isinstance(a, Operand):
                storages.append(a.storage.clone())
                return a.view(storages[-1])
            if isinstance(a, (list, tuple)) and a and isinstance(a[0], Operand):
                return [value(x) for x in a]
            return a

        values = [value(a) for a in arguments]
        try:
            results = function(*values)
        except (RuntimeError, NotImplementedError, IndexError, TypeError, ValueError) as e:
            if "UInt16" in str(e) and "not implemented for" in str(e):
                return  # PyTorch has no such arithmetic
            self.cases.append(f"{head} x")
            return
        if name.endswith("_"):
            results = storages[0]
        if isinstance(results, torch.Tensor):
            results = [results]
        texts = [f"r {self.store(r)} {listed(r.shape)} {listed(r.stride())}" for r in results]
        self.cases.append(f"{head} {' '.join(texts)}")

    def save(self):
        save_file(self.stored, self.path, {"cases": "\n".join(self.cases)})
        print(len(self.cases), "cases,", sum(c.endswith("-> x") for c in self.cases), "of them refused;",
              os.path.getsize(self.path), "bytes")
