"""What PyTorch makes of reductions, softmax and cumulative sums.

    ATEN_CPU_CAPABILITY=avx2 python3 reference/reductions.py      (PyTorch 2.15)

writes golden/reductions.safetensors and golden/rows.safetensors (recording.py has their form). Means and products are of
numbers for which every order of operations gives the same bits; the other floating results are
recorded as PyTorch rounds them and compared within the bounds that the headers state.
"""
import itertools

import torch
from recording import DTYPES, FLOATS, Operand, Recorder, fill, layouts, small_integers

recorder = Recorder("reductions")
record = recorder.record
SHAPES = ([], [7], [0], [3, 5], [4, 0], [0, 3], [2, 3, 4], [1, 5], [70, 3])


def dims_for(shape, dtype, way):
    wanted = [[], [0], [-1]] + ([[0, -1]] if len(shape) == 2 else []) + ([[0, 2], [1]] if len(shape) == 3 else [])
    return wanted + ([[5], [0, 0], [-4], [1, 0, -1]] if dtype == "fp32" and way == "contiguous" else [])


turns, keeps = itertools.count(), itertools.cycle((False, True, True))


def ways_for(dtype, shape):
    """Every layout in FP32; in the other types they take turns."""
    ways = list(layouts(shape))
    if torch.Size(shape).numel() > 99:
        ways = ways[:2]
    return ways if dtype == "fp32" else [ways[next(turns) % len(ways)]]


def operands(values, floats_only=False):
    """Every dtype in every shape, with elements of that kind; dtypes that are refused in one shape."""
    for dtype, shape in itertools.product(DTYPES, SHAPES):
        if floats_only and dtype not in FLOATS and shape != [7]:
            continue
        for way in ways_for(dtype, shape):
            yield dtype, shape, way, Operand(dtype, shape, way, values(dtype, Operand.elements(shape, way), len(shape)))


def powers_of_two(dtype, count, seed):
    """Products of these are exact."""
    if dtype not in FLOATS:
        return small_integers(dtype, count, seed)
    g = torch.Generator().manual_seed(seed)
    return (2.0 ** torch.randint(-1, 2, (count,), generator=g) * (1 - 2 * torch.randint(0, 2, (count,), generator=g))).to(DTYPES[dtype])


def multiples(dtype, count, seed):
    """Their sums are exact, and so are the means over the numbers of elements that are powers of two."""
    return small_integers(dtype, count, seed)


def distinct_signs(x):
    """No two zeros of different sign: PyTorch's largest of them depends on where they stand."""
    return torch.where(x == 0, torch.zeros_like(x), x)


def any_value(dtype, count, seed):
    x = distinct_signs(fill(dtype, count, count + seed))
    if count > 9 and dtype in FLOATS and seed % 2:  # in half of the cases no NaN
        x = torch.where(torch.isnan(x), torch.full_like(x, 2.0), x)
    return x


def smooth(dtype, count, seed):
    return torch.randn(count, generator=torch.Generator().manual_seed(count + seed)).to(DTYPES[dtype])


def reductions():
    named = {"mean": (torch.mean, multiples), "amax": (torch.amax, any_value),
             "amin": (torch.amin, any_value), "prod": (None, powers_of_two)}
    for name, (function, values) in named.items():
        for dtype, shape, way, x in operands(values, name == "mean"):
            for over in dims_for(shape, dtype, way):
                keep = next(keeps)
                if name != "prod":
                    record(name, lambda t, o, k: function(t, o, keepdim=k), x, over, keep)
                elif len(over) == 1:
                    record(name, lambda t, o, k: torch.prod(t, o[0], keepdim=k), x, over, keep)
                elif not over:
                    record(name, lambda t, o, k: torch.prod(t), x, over, False)


def places():
    for dtype, shape, way, x in operands(any_value):
        for name, function in (("argmax", torch.argmax), ("argmin", torch.argmin)):
            record(name, lambda t, d, k: function(t, d, keepdim=k), x, None, False)
            for d in (0, -1, 1, 5) if dtype == "fp32" and way == "contiguous" else (0, -1, 1):
                record(name, lambda t, n, k: function(t, n, keepdim=k), x, d, next(keeps))


def variances_and_norms():
    for dtype, shape, way, x in operands(smooth, True):
        for over in dims_for(shape, dtype, way):
            keep = next(keeps)
            for correction in ((1, 0, 9) if dtype == "fp32" else (1,)):
                record("var", lambda t, o, c, k: torch.var(t, o, correction=c, keepdim=k), x, over, correction, keep)
            for p in (2, 1, 0, float("inf"), -float("inf"), 3, -1) if way == "contiguous" else (2,):
                record("norm", lambda t, q, o, k: torch.linalg.vector_norm(t, q, o or None, k), x, p, over, keep)
    # Neither the squares nor the powers of these may overflow or vanish.
    for dtype, value in (("fp32", 1e20), ("fp32", 1e-30), ("fp16", 6e4), ("bf16", 1e30)):
        x = Operand(dtype, [100], values=torch.full((100,), value).to(DTYPES[dtype]))
        record("norm", lambda t, q, o, k: torch.linalg.vector_norm(t.double(), q).to(t.dtype), x, 2, [], False)


def row_values(dtype, count, seed):
    """Rows with -inf, one of nothing else, and one with inf and one with NaN."""
    x = smooth(dtype, count, seed) * 8
    if dtype in FLOATS and count > 40:
        x[3:5] = -float("inf")
        x[10:15] = -float("inf")
        x[21] = float("inf")
        x[28] = float("nan")
    return x


def rows():
    for shape in ([], [1], [9], [0], [3, 0], [0, 3], [12, 5], [5, 12], [3, 4, 5], [2, 3, 1, 4], [3, 40]):
        for dtype, way in ((d, w) for d in DTYPES for w in ways_for(d, shape)):
            if dtype not in FLOATS and shape != [12, 5]:
                continue
            x = Operand(dtype, shape, way, row_values(dtype, Operand.elements(shape, way), len(shape)))
            for d in sorted({0, 1, -1} | ({-2, 5} if len(shape) > 2 else set())):
                record("softmax", torch.softmax, x, d)
                record("log_softmax", torch.log_softmax, x, d)


def cumulative_sums():
    for shape in ([], [1], [9], [0], [3, 0], [0, 3], [12, 5], [3, 4, 5], [2, 3, 1, 4], [3, 40]):
        for dtype, way in ((d, w) for d in DTYPES for w in ways_for(d, shape)):
            values = (smooth if dtype in FLOATS else any_value)(dtype, Operand.elements(shape, way), len(shape))
            x = Operand(dtype, shape, way, values)
            for d in sorted({0, -1} | ({1, -2, 5} if len(shape) > 2 else set())):
                record("cumsum", torch.cumsum, x, d)
    x = Operand("fp32", [50], values=any_value("fp32", 50, 2))
    record("cumsum", torch.cumsum, x, 0)


if __name__ == "__main__":
    assert torch.backends.cpu.get_cpu_capability() == "AVX2", "set ATEN_CPU_CAPABILITY=avx2"
    reductions()
    places()
    variances_and_norms()
    recorder.save()
    recorder = Recorder("rows")
    record = recorder.record
    rows()
    cumulative_sums()
    recorder.save()
