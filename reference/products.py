"""What PyTorch makes of matrix products of small integers, which are exact in every type.

    ATEN_CPU_CAPABILITY=avx2 python3 reference/products.py      (PyTorch 2.15)

writes golden/products.safetensors (recording.py says how): every kind of operands, layout and type,
zero sizes, broadcast batches, what is refused; and sums onto a result (baddbmm).
"""
import itertools

import torch
from recording import DTYPES, Operand, Recorder, layouts, small_integers

SHAPES = [([5], [5]), ([1], [1]), ([3, 5], [5]), ([5], [5, 3]), ([3, 5], [5, 7]), ([1, 5], [5, 1]), ([3, 1], [1, 4]),
          ([2, 3, 5], [5, 4]), ([3, 5], [2, 5, 4]), ([2, 3, 5], [2, 5, 4]), ([2, 1, 3, 5], [3, 5, 2]),
          ([2, 3, 5], [5]), ([5], [2, 5, 3]), ([1, 3, 5], [3, 1, 5, 2]),
          ([0], [0]), ([0, 3], [3, 2]), ([2, 3], [3, 0]), ([2, 0], [0, 3]), ([2, 0], [0]), ([0], [0, 3]),
          ([2, 3, 0], [2, 0, 4]), ([0, 3, 5], [5, 4]), ([0, 3, 5], [1, 5, 4]), ([0, 1, 3, 5], [2, 5, 4])]
REFUSED = [([], [3]), ([3], []), ([3], [4]), ([2, 3], [4, 5]), ([2, 3], [2]), ([3], [2, 3]), ([2, 3, 5], [3, 5, 4]),
           ([0, 3, 5], [2, 5, 4]), ([2, 3, 5], [2, 4, 3])]
LARGER = [([13, 40], [40, 33]), ([1, 70], [70, 40]), ([40, 70], [70])]
FEW_WAYS = [("contiguous", "contiguous"), ("transposed", "sliced"), ("repeated", "transposed"), ("permuted", "permuted"),
            ("contiguous", "transposed")]


def operand(dtype, shape, way, seed):
    low = 1 if 1 in shape else -2  # of single products PyTorch makes 0.0 or -0.0, depending on the layout
    return Operand(dtype, shape, way, small_integers(dtype, Operand.elements(shape, way), seed, low, 3))


if __name__ == "__main__":
    assert torch.backends.cpu.get_cpu_capability() == "AVX2", "set ATEN_CPU_CAPABILITY=avx2"
    r = Recorder("products")
    for (a, b), dtype in itertools.product(SHAPES, DTYPES):
        if dtype == "bool" and 0 in [*a, *b]:
            continue  # PyTorch refuses bool only where there is something to compute
        pairs = itertools.product(layouts(a), layouts(b)) if dtype == "fp32" else FEW_WAYS
        for way_a, way_b in pairs:
            if way_a in layouts(a) and way_b in layouts(b):
                r.record("matmul", torch.matmul, operand(dtype, a, way_a, 1), operand(dtype, b, way_b, 2))
    for a, b in REFUSED:
        r.record("matmul", torch.matmul, operand("fp32", a, "contiguous", 1), operand("fp32", b, "contiguous", 2))
    for a, b in itertools.permutations(DTYPES, 2):
        if "uint16" not in (a, b):
            r.record("matmul", torch.matmul, operand(a, [2, 3], "contiguous", 1), operand(b, [3, 2], "contiguous", 2))
    for (a, b), dtype in itertools.product(LARGER, ("fp32", "uint8")):
        for way_a, way_b in FEW_WAYS:
            if way_a in layouts(a) and way_b in layouts(b):
                r.record("matmul", torch.matmul, operand(dtype, a, way_a, 3), operand(dtype, b, way_b, 4))
    for dtype, way, (alpha, beta) in itertools.product(
            ("fp64", "fp32", "bf16", "int32"), ("contiguous", "transposed", "sliced", "permuted"),
            ((1, 1), (2, 0), (3, 2), (1, 0))):
        for a, b, c in [([2, 3, 5], [2, 5, 4], [2, 3, 4]), ([2, 3, 0], [2, 0, 4], [2, 3, 4]), ([3, 1, 9], [3, 9, 1], [3, 1, 1])]:
            r.record("matmul_into_", lambda c, a, b, alpha, beta: c.baddbmm_(a, b, alpha=alpha, beta=beta),
                     operand(dtype, c, way, 5), operand(dtype, a, "contiguous", 6), operand(dtype, b, "transposed", 7), alpha, beta)
    r.save()
