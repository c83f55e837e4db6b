"""What PyTorch makes of index_select, gather, scatter_add, index_add, cat, stack, sort and topk.

    ATEN_CPU_CAPABILITY=avx2 python3 reference/indexing.py      (PyTorch 2.15)

writes golden/indexing.safetensors and, for the last four, golden/ordering.safetensors (recording.py has
the format). Sums are taken on one thread. bf16
and fp16 are summed in FP32 and rounded once, as Napkin does; where the sums are of small integers that
is what PyTorch does, too. topk's indices are those of a stable sort: PyTorch promises none for ties.
"""
import itertools

import torch
from recording import DTYPES, HALVES, Operand, Recorder, fill, layouts, small_integers

indexing, ordering = Recorder("indexing"), Recorder("ordering")
SHAPES = [[7], [5, 3], [4, 0], [0, 3], [3, 4, 5], [2, 17]]


def dtypes_and_shapes(shapes):
    """Every shape in FP32, one in every type."""
    return [("fp32", shape) for shape in shapes] + [(d, [5, 3]) for d in DTYPES if d != "fp32"]


def indices(count, size, seed, dtype="int64"):
    g = torch.Generator().manual_seed(seed)
    return torch.randint(0, max(size, 1), (count,), generator=g).to(DTYPES[dtype])


def in_turn(shape):
    turn = itertools.cycle(layouts(shape))
    return lambda: next(turn)


def summed(function):
    """The function, with bf16 and fp16 summed in FP32."""
    def run(x, dim, index, source):
        if x.dtype in (torch.bfloat16, torch.float16) and source.dtype == x.dtype:
            return function(x.float(), dim, index, source.float()).to(x.dtype)
        return function(x, dim, index, source)
    return run


index_add, scatter_add = summed(torch.index_add), summed(torch.scatter_add)


def index_select():
    for dtype, shape in dtypes_and_shapes(SHAPES):
        for dim, way in itertools.product(range(-1, len(shape) - 1), layouts(shape)):
            size = shape[dim]
            count = 5 if size else 0
            index = Operand("int64" if dim else "int32", [count], "sliced" if dim else "contiguous",
                            indices(2 * count + 1, size, 3, "int64" if dim else "int32"))
            indexing.record("index_select", torch.index_select, Operand(dtype, shape, way), dim, index)


def gather():
    for dtype, shape in dtypes_and_shapes(SHAPES):
        for dim, way in itertools.product(range(-1, len(shape) - 1), layouts(shape)):
            wanted = [max(0, n - (n > 3)) for n in shape]
            wanted[dim] = 4 if shape[dim] else 0
            index_way = {"contiguous": "transposed", "transposed": "sliced"}.get(way, "repeated")
            if index_way not in layouts(wanted):
                index_way = "contiguous"
            kind = "int32" if way == "sliced" else "int64"
            index = Operand(kind, wanted, index_way, indices(Operand.elements(wanted, index_way), shape[dim], 5, kind))
            indexing.record("gather", torch.gather, Operand(dtype, shape, way), dim, index)


def additions():
    for dtype, shape in dtypes_and_shapes(SHAPES):
        for dim, way in itertools.product(range(-1, len(shape) - 1), layouts(shape)):
            kind = "int32" if way == "sliced" else "int64"
            count = 6 if shape[dim] else 0
            source_shape = list(shape)
            source_shape[dim] = count
            source_way = {"contiguous": "sliced", "transposed": "contiguous"}.get(way, "repeated")
            n = Operand.elements(source_shape, source_way)
            values = small_integers(dtype, n, 7) if dtype in HALVES else fill(dtype, n, 8)
            source = Operand(dtype, source_shape, source_way, values)
            x = Operand(dtype, shape, way)
            if dtype in HALVES:
                x.storage = small_integers(dtype, len(x.storage), 9)
            indexing.record("index_add", torch.index_add, x, dim, Operand(kind, [count], "contiguous", indices(count, shape[dim], 4, kind)),
                   source)
            wanted = [max(0, m - (m > 3)) for m in source_shape]
            index = Operand(kind, wanted, "contiguous", indices(torch.Size(wanted).numel(), shape[dim], 6, kind))
            indexing.record("scatter_add", torch.scatter_add, x, dim, index, source)
            if way != "repeated":
                indexing.record("scatter_add_", lambda a, d, i, s: a.scatter_add_(d, i, s), x, dim, index, source)
                indexing.record("index_add_", lambda a, d, i, s: a.index_add_(d, i, s), x, dim,
                       Operand(kind, [count], "contiguous", indices(count, shape[dim], 4, kind)), source)
    for dtype in ("fp64", "fp32", *HALVES, "uint8"):  # more terms a place, wider rows
        for (rows, columns), terms in itertools.product([(3, 67), (5, 8), (2, 1)], (60, 240)):
            terms //= 1 + columns // 8
            source = Operand(dtype, [terms, columns])
            g = torch.Generator().manual_seed(terms)
            if dtype not in ("int32", "uint8", "bool"):
                source.storage = torch.randn(terms * columns, generator=g).to(DTYPES[dtype])
            x = Operand(dtype, [rows, columns], "contiguous", small_integers(dtype, rows * columns, 2))
            indexing.record("index_add", index_add, x, 0, Operand("int64", [terms], "contiguous", indices(terms, rows, 11)), source)
            short = Operand("int64", [terms, columns], "contiguous", indices(terms * columns, rows, 12))
            indexing.record("scatter_add", scatter_add, x, 0, short, source)


def no_dimensions():
    zero, one = Operand("int64", [], "contiguous", torch.tensor([0])), Operand("int64", [1], "contiguous", torch.tensor([0]))
    two = Operand("int64", [2], "contiguous", torch.tensor([0, 0]))
    for dtype in ("fp32", "bf16"):
        x, y = Operand(dtype, [], "contiguous", small_integers(dtype, 1, 1)), Operand(dtype, [3], "contiguous", small_integers(dtype, 3, 1))
        s = Operand(dtype, [], "contiguous", small_integers(dtype, 1, 2))
        for dim, i in itertools.product((0, -1, 1), (zero, one, two)):
            indexing.record("index_select", torch.index_select, x, dim, i)
            indexing.record("index_select", torch.index_select, y, dim, i)
            indexing.record("gather", torch.gather, x, dim, i)
            indexing.record("gather", torch.gather, y, dim, i)
            for source in (s, y, x):
                indexing.record("index_add", torch.index_add, x, dim, i, source)
                indexing.record("index_add", torch.index_add, y, dim, i, source)
                indexing.record("scatter_add", torch.scatter_add, x, dim, i, source)
                indexing.record("scatter_add", torch.scatter_add, y, dim, i, source)


def refusals():
    x, source = Operand("fp32", [2, 3]), Operand("fp32", [2, 3])
    def index(values, dtype="int64"):
        t = torch.tensor(values).to(DTYPES[dtype])
        return Operand(dtype, list(t.shape), "contiguous", t.reshape(-1))
    for dim in (0, 1, 2, -3):
        for i in (index([0]), index([-1]), index([3]), index([1, 2]), index([0, 1, 2, 1]), index([[0, 1]]), index([0], "uint8"),
                  index([0.0], "fp32")):
            indexing.record("index_select", torch.index_select, x, dim, i)
            indexing.record("index_add", torch.index_add, x, dim, i, source)
            indexing.record("index_add_", lambda a, d, i, s: a.index_add_(d, i, s), x, dim, i, source)
        for i in (index([0]), index([[0]]), index([[-1]]), index([[3]]), index([[0], [1], [0]]), index([[0, 1, 0, 1]]),
                  index([[0, 1, 5]]), index([[0, 1, -2]], "int32"), index([[0]], "uint8")):
            indexing.record("gather", torch.gather, x, dim, i)
            indexing.record("scatter_add", torch.scatter_add, x, dim, i, source)
            indexing.record("scatter_add_", lambda a, d, i, s: a.scatter_add_(d, i, s), x, dim, i, source)
    for other in (Operand("fp64", [2, 3]), Operand("fp32", [1, 2]), Operand("fp32", [3])):
        indexing.record("index_add", torch.index_add, x, 1, index([0, 1, 2]), other)
        indexing.record("scatter_add", torch.scatter_add, x, 1, index([[0, 1, 2]]), other)
    repeated = Operand("fp32", [2, 3], "repeated")
    indexing.record("index_add_", lambda a, d, i, s: a.index_add_(d, i, s), repeated, 1, index([0, 1, 2]), source)
    indexing.record("scatter_add_", lambda a, d, i, s: a.scatter_add_(d, i, s), repeated, 1, index([[0, 1, 2]]), source)


def joins():
    for a, b in itertools.product(DTYPES, DTYPES):
        ordering.record("cat", torch.cat, [Operand(a, [2, 3]), Operand(b, [1, 3], "sliced")], 0)
        ordering.record("stack", torch.stack, [Operand(a, [2, 3], "transposed"), Operand(b, [2, 3])], 1)
        ordering.record("cat", torch.cat, [Operand(a, [0]), Operand(b, [2, 3])], 0)
    for dtype in ("fp32", "bf16"):
        for shape in ([7], [4, 0], [0, 3], [3, 4, 5]):
            way = in_turn(shape)
            for dim in range(-len(shape) - 1, len(shape) + 2):
                ordering.record("cat", torch.cat, [Operand(dtype, shape, way()) for _ in range(3)], dim)
                ordering.record("stack", torch.stack, [Operand(dtype, shape, way()) for _ in range(3)], dim)
                ordering.record("cat", torch.cat, [Operand(dtype, shape, way())], dim)
                longer = [n + (d == dim) for d, n in enumerate(shape)]
                ordering.record("cat", torch.cat, [Operand(dtype, shape, way()), Operand(dtype, longer)], dim)
                ordering.record("cat", torch.cat, [Operand(dtype, [0]), Operand(dtype, shape, way()), Operand(dtype, [0])], dim)
        scalar = [Operand(dtype, []), Operand(dtype, [])]
        ordering.record("cat", torch.cat, scalar, 0)
        for dim in (-2, -1, 0, 1):
            ordering.record("stack", torch.stack, scalar, dim)
        ordering.record("cat", torch.cat, [Operand(dtype, [0]), Operand(dtype, [0])], 0)
        ordering.record("cat", torch.cat, [Operand(dtype, [2, 3]), Operand(dtype, [3])], 0)
        ordering.record("cat", torch.cat, [Operand(dtype, [2, 3]), Operand(dtype, [2, 4])], 0)
        ordering.record("cat", torch.cat, [Operand(dtype, [2, 3]), Operand(dtype, [0, 4])], 0)
        ordering.record("stack", torch.stack, [Operand(dtype, [2, 3]), Operand(dtype, [3])], 0)
        ordering.record("stack", torch.stack, [Operand(dtype, [2, 3]), Operand(dtype, [2, 4])], 0)


def with_ties(dtype, count, seed):
    """Some special values, each about twice."""
    x = fill(dtype, count, seed)
    g = torch.Generator().manual_seed(seed)
    return x[torch.randint(0, max(1, 2 * count // 3), (count,), generator=g)] if count > 1 else x


def sort(x, dim, descending):
    return torch.sort(x, dim=dim, descending=descending, stable=True)


def topk(x, k, dim, largest):
    values, indices = torch.topk(x, k, dim, largest)
    ordered, places = torch.sort(x, dim=dim, descending=largest, stable=True)
    if x.dim() > 0:
        ordered, places = ordered.narrow(dim, 0, k), places.narrow(dim, 0, k)
    assert torch.equal(torch.nan_to_num(values.double()), torch.nan_to_num(ordered.double()))
    return values.copy_(ordered), indices.copy_(places)


def orders():
    for dtype, shape in dtypes_and_shapes([[], [2], [40], [0], [5, 3], [4, 0], [0, 3], [3, 4, 5]]):
        for way, descending in itertools.product(layouts(shape), (False, True)):
            x = Operand(dtype, shape, way)
            x.storage = with_ties(dtype, len(x.storage), 5)
            for dim in range(-1, max(1, len(shape) - 1)):
                ordering.record("sort", sort, x, dim, descending)
                size = shape[dim] if shape else 1
                for k in sorted({0, 1, size // 2, size, size + 1, -1}) if dtype == "fp32" else (1, 2):
                    ordering.record("topk", topk, x, k, dim, descending)
    for dim in (-2, 1):
        ordering.record("sort", sort, Operand("fp32", []), dim, False)
        ordering.record("topk", topk, Operand("fp32", [4]), 1, dim, False)
    ordering.record("topk", topk, Operand("fp32", [4], "contiguous", torch.tensor([5.0, 5, 5, 1])), 2, -1, True)
    for dtype in ("fp64", "fp32", "bf16", "int32", "uint8"):  # long enough for loops that short lines do not reach
        x = Operand(dtype, [700], "contiguous", with_ties(dtype, 700, 6))
        ordering.record("sort", sort, x, -1, dtype in HALVES)
        ordering.record("topk", topk, x, 20, -1, dtype not in HALVES)


if __name__ == "__main__":
    assert torch.backends.cpu.get_cpu_capability() == "AVX2", "set ATEN_CPU_CAPABILITY=avx2"
    torch.set_num_threads(1)
    index_select()
    gather()
    additions()
    no_dimensions()
    refusals()
    joins()
    orders()
    indexing.save()
    ordering.save()
