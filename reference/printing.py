"""What PyTorch prints for tensors, with this project's words for dtypes and devices.

    python3 reference/printing.py      (PyTorch 2.15)

writes golden/printing.json: dtype, device, shape, values (or "arange": first, end, step), the views
taken, and the text. Values are fp64 or int64 at first and then converted to the dtype. The words are changed before PyTorch breaks
the lines, so that the breaks are those of the text that is shown.
"""
import json
import math
import os
import random

import torch
import torch._tensor_str

from views import END, GOLDEN, apply

DTYPES = {"fp64": torch.float64, "fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16,
          "e4m3fn": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2,
          "int64": torch.int64, "int32": torch.int32, "uint16": torch.uint16, "uint8": torch.uint8,
          "bool": torch.bool}
WORDS = {f"dtype={theirs}": f"dtype={ours}" for ours, theirs in DTYPES.items()}
WORDS["device='meta'"] = "device=meta"
FLOATS = ("fp64", "fp32", "bf16", "fp16", "e4m3fn", "e5m2")
INF, NAN = math.inf, math.nan

lay_out = torch._tensor_str._add_suffixes
torch._tensor_str._add_suffixes = lambda text, notes, *more, **named: lay_out(
    text, [WORDS.get(note, note) for note in notes], *more, **named)


def plain(value):
    """A number that JSON has; the others as words."""
    return value if math.isfinite(value) else str(value)


def record(dtype, values, shape=None, steps=(), device="cpu"):
    number = torch.float64 if DTYPES[dtype].is_floating_point else torch.int64
    if isinstance(values, tuple):
        x = torch.arange(*values, dtype=number)
        given = {"arange": list(values)}
    else:
        x = torch.tensor(values, dtype=number)
        given = {"values": [plain(v) for v in values]}
    shape = list(x.shape) if shape is None else shape
    x = x.view(shape).to(DTYPES[dtype]).to(device)
    for step in steps:
        x = apply(x, step)
    return {"dtype": dtype, "device": device, "shape": shape, **given, "steps": list(steps), "text": str(x)}


def special():
    """One rule each: width, decimals, whole numbers, scientific notation, ties, infinities, NaN."""
    yield from ([0.0], [-0.0, 0.0], [1.0], [-1.0], [1.0, 10.0, -100.0], [0.5], [1.5, -2.25], [0.1, 100.0, 1000.0],
                [1e-4], [9.99e-5], [1e-5, 1.0], [1e8], [1.1e8], [100000000.5], [1e8 + 8], [1.0, 1000.0],
                [1.0, 1001.0], [0.5, 500.0], [0.5, 500.5], [1e10, 1.0], [1e-10], [1e20], [1e300, 1e-300],
                [INF], [-INF, 1.0], [NAN], [NAN, 1.0, -2.0], [NAN, 0.5], [INF, NAN, -INF], [0.0, INF], [INF, 1e9],
                [NAN, 1e-9, -1e-9], [0.0, 1e-9], [123456789.0, 1.0], [0.03125, 0.09375, 0.15625, 0.21875],
                [0.00005, 0.00015, 1.0], [0.12345, 0.12355], [2.5e-5, 3.5e-5], [1.00005e9, 1.00015e9],
                [-1e-3, 1e-3], [99999.0, 1.0], [65504.0, -65504.0], [3.0000001], [16777216.0, 16777217.0])


def cases():
    for dtype in FLOATS:
        for values in special():
            yield record(dtype, values)
    for values in special():
        if len(values) == 1:
            yield record("fp32", values, [])
            yield record("fp32", values, [1, 1, 1])
    for dtype in ("int64", "int32", "uint16", "uint8", "bool"):
        for values, shape in (([0], None), ([1, 20, 200], None), ([0, 1, 1, 0], [2, 2]), ([7], []), ([], None), ([], [0, 3])):
            yield record(dtype, values, shape)
        if dtype in ("int64", "int32"):
            yield record(dtype, [-1, 2, -300, 2**31 - 1], [2, 2])
    yield record("int64", [2**53, -2**53, 1])
    for dtype in FLOATS:
        for shape in ([0], [0, 2], [2, 0, 3], [1, 0]):
            yield record(dtype, [], shape)
    for dtype in DTYPES:
        for shape in ([], [0], [3], [2, 3], [2, 0, 4]):
            yield record(dtype, [0.0] * math.prod(shape), shape, device="meta")
        # Lines of 80 columns, and a note that just fits or does not.
        for count in (15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 40):
            yield record(dtype, (0, count, 1))
        for shape in ([24], [2, 12], [2, 3, 4], [1, 2, 3, 4], [2, 1, 1, 2, 6]):
            yield record(dtype, (0, 24, 1), shape)
        for shape in ([1000], [1001], [10, 100], [7, 143], [143, 7], [6, 167], [7, 11, 13], [2, 5, 101], [1, 1, 2002], [7, 7, 7, 7]):
            yield record(dtype, (0, math.prod(shape), 1), shape)
    for first, step, shape in ((0, 0.05, [24]), (0, 0.05, [4, 6]), (-3, 0.25, [2, 3, 4]), (1e-6, 1e-8, [10]),
                               (0, 1e6, [3000]), (0, 0.1, [3, 1001]), (-1e5, 100, [2, 1000]), (0, 0.001, [30, 50])):
        for dtype in FLOATS:
            yield record(dtype, (first, first + (math.prod(shape) - 0.5) * step, step), shape)
    for steps in ([["t"]], [["slice", [1, 1, END, 2]]], [["select", [0, 1]]], [["unsqueeze", [1]]], [["slice", [0, 2, 2, 1]]]):
        yield record("fp32", (0, 12, 1), [3, 4], steps)
    yield record("fp32", [0.25], None, [["expand", [2**40]]])
    yield record("int64", [3], None, [["expand", [2**20, 2**20, 2]]])


def main():
    draw = random.Random(336)
    printed = list(cases())
    for _ in range(150):  # numbers of many sizes
        scale, spread, count = 10.0 ** draw.randint(-7, 9), draw.choice([0, 1, 2, 4]), draw.randint(1, 30)
        values = [draw.uniform(-1, 1) * scale * 10.0 ** draw.uniform(-spread, 0) for _ in range(count)]
        if draw.random() < 0.3:
            values = [float(round(v)) for v in values]
        if draw.random() < 0.3:
            values[draw.randrange(count)] = draw.choice([INF, -INF, NAN, 0.0, -0.0])
        shape = [count] if count % 2 or draw.random() < 0.5 else [2, count // 2]
        printed.append(record(draw.choice(["fp64", "fp32", "bf16", "fp16"]), values, shape))
    with open(os.path.join(GOLDEN, "printing.json"), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in printed) + "\n]\n")
    print(f"printing.json: {len(printed)} tensors")


if __name__ == "__main__":
    main()
