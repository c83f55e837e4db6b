"""What PyTorch makes of views: shape, strides, offset and elements, or a refusal.

    python3 reference/views.py      (PyTorch 2.15)

writes golden/views.json: chains of views of arange(elements), one JSON array a line. Inputs are odd,
strided, zero-size, size-1 and 0-dimensional; about one argument in eight is out of range. Where
PyTorch refused, only the last step of the chain did. And golden/arange.json: dtype, [start, end,
step], and the numbers or null.
"""
import json
import math
import os
import random

import torch

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
INF, NAN = math.inf, math.nan
END = 2**63 - 1  # a slice without a stop

SHAPES = [[], [1], [5], [12], [0], [2, 3], [1, 5], [5, 1], [4, 0], [0, 3], [1, 1], [2, 3, 4], [1, 1, 3],
          [3, 1, 1], [3, 1, 4], [0, 5, 0], [1, 1, 0], [2, 1, 64], [2, 3, 1, 4], [1, 2, 1, 3], [2, 3, 2, 3]]


def apply(x, step):
    name, arguments = step[0], step[1:]
    if name == "slice":
        d, start, stop, by = arguments[0]
        return torch.ops.aten.slice.Tensor(x, d, start, stop, by)
    if name == "squeeze_all":
        return x.squeeze()
    if name == "as_strided":
        shape, strides, (offset,) = arguments
        return x.as_strided(shape, strides, offset)
    if name in ("view", "reshape", "permute", "expand"):
        return getattr(x, name)(arguments[0])
    return getattr(x, name)(*(arguments[0] if arguments else []))


class Draw:
    """Random steps that are mostly possible."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, low, high):
        return self.random.randint(low, high)

    def dimension(self, rank, wild=True):
        if wild and self.random.random() < 0.12:
            return self.number(-rank - 2, rank + 1)
        return self.number(-rank, rank - 1) if rank else self.number(-1, 0)

    def shape(self, elements):
        """A shape of so many elements, sometimes with a -1, seldom one of another number."""
        sizes, rest = [], elements
        if elements == 0:
            sizes = [self.number(0, 3) for _ in range(self.number(0, 3))] + [0]
        while rest > 1:
            size = self.random.choice([f for f in range(2, rest + 1) if rest % f == 0])
            sizes.append(size)
            rest //= size
        while len(sizes) < 5 and self.random.random() < 0.4:
            sizes.append(1)
        self.random.shuffle(sizes)
        for _ in range(2):
            if sizes and self.random.random() < 0.25:
                sizes[self.number(0, len(sizes) - 1)] = -1
        if sizes and self.random.random() < 0.08:
            sizes[self.number(0, len(sizes) - 1)] = self.number(-2, 7)
        return sizes

    def split_shape(self, x):
        """The shape of x with one dimension split in two, or two neighbours merged."""
        sizes = list(x.shape)
        if sizes and self.random.random() < 0.5:
            d = self.number(0, len(sizes) - 1)
            factors = [f for f in range(1, sizes[d] + 1) if sizes[d] % f == 0] or [1]
            first = self.random.choice(factors)
            sizes[d:d + 1] = [first, sizes[d] // first]
        elif len(sizes) > 1:
            d = self.number(0, len(sizes) - 2)
            sizes[d:d + 2] = [sizes[d] * sizes[d + 1]]
        return sizes

    def step(self, name, x):
        rank = x.dim()
        size = max([1, *x.shape])
        if name in ("view", "reshape"):
            return [name, self.split_shape(x) if self.random.random() < 0.6 else self.shape(x.numel())]
        if name == "transpose":
            return [name, [self.dimension(rank), self.dimension(rank)]]
        if name == "permute":
            order = [d - rank if self.random.random() < 0.3 else d for d in self.random.sample(range(rank), rank)]
            if order and self.random.random() < 0.15:
                order[self.number(0, rank - 1)] = self.dimension(rank)
            if self.random.random() < 0.06:
                order = order[1:]
            return [name, order]
        if name == "select":
            d = self.dimension(rank)
            return [name, [d, self.number(-size - 1, size) if self.random.random() < 0.2 else self.number(-1, 1)]]
        if name == "slice":
            start = self.number(-size - 2, size + 2) if self.random.random() < 0.6 else self.number(0, 1)
            stop = self.random.choice([END, self.number(-size - 2, size + 2), self.number(0, size)])
            return [name, [self.dimension(rank), start, stop, self.random.choice([1, 1, 2, 2, 3, 5, 70, 0, -1])]]
        if name == "expand":
            sizes = [self.random.choice([-1, n, self.number(0, 3)]) if n == 1 else self.random.choice([-1, n, n])
                     for n in x.shape]
            sizes = [self.number(0, 3) for _ in range(self.random.choice([0, 0, 1, 2]))] + sizes
            if sizes and self.random.random() < 0.12:
                sizes[self.number(0, len(sizes) - 1)] = self.number(-2, 5)
            return [name, sizes[1:] if self.random.random() < 0.05 else sizes]
        if name == "unsqueeze":
            return [name, [self.dimension(rank + 1)]]
        if name == "squeeze":
            return [name, [self.dimension(rank)]]
        if name == "flatten":
            return [name, [self.dimension(rank), self.dimension(rank)]]
        if name == "unfold":
            return [name, [self.dimension(rank), self.number(-1, 5), self.number(0, 3)]]
        if name == "as_strided":
            shape = [self.random.choice([0, 1, 1, 2, 3, 4]) for _ in range(self.number(0, 3))]
            strides = [self.random.choice([0, 1, 1, 2, 3, 4, 6, 99, -1]) for _ in shape]
            if self.random.random() < 0.04:
                strides = strides + [1]
            return [name, shape, strides, [self.random.choice([0, 0, 1, 2, 7, -1, 50])]]
        return [name]  # t, squeeze_all, contiguous, clone


NAMES = ["view", "reshape", "transpose", "permute", "select", "slice", "expand", "unsqueeze", "squeeze",
         "squeeze_all", "flatten", "unfold", "as_strided", "t", "contiguous", "clone"]
BEFORE = ["transpose", "permute", "slice", "slice", "expand", "unsqueeze", "unfold", "as_strided", "select", "view"]


def result(base, x):
    return {"shape": list(x.shape), "strides": list(x.stride()), "offset": x.storage_offset(),
            "contiguous": x.is_contiguous(), "dense": torch.ops.aten.is_non_overlapping_and_dense(x),
            "shares": x.untyped_storage().data_ptr() == base.untyped_storage().data_ptr(),
            "like": list(torch.empty_like(x).stride()), "data": x.flatten().tolist()}


def chain(shape, steps):
    """The record of one chain; None where an earlier step than the last is refused."""
    x = base = torch.arange(max(1, torch.Size(shape).numel())).as_strided(shape, torch.empty(shape).stride())
    for n, step in enumerate(steps):
        try:
            x = apply(x, step)
        except (RuntimeError, IndexError):
            return [shape, steps, None] if n == len(steps) - 1 else None
        if any(size < 0 for size in x.shape):
            return None  # expand lets a negative size through where another size is 0; we refuse
    return [shape, steps, result(base, x)]


def by_hand():
    """Cases that random draws would seldom meet."""
    strided = [([1, 5], [99, 1]), ([2, 1, 64], [64, 1, 1]), ([4, 1, 3], [3, 50, 1]), ([1, 2, 3], [6, 1, 2]),
               ([2, 0], [7, 9]), ([1], [0]), ([], []), ([2, 2], [1, 1]), ([2, 3], [3, 2]), ([3, 1], [1, 99])]
    for shape, strides in strided:
        yield [300], [["as_strided", shape, strides, [0]]]
        for after in (["view", shape], ["reshape", shape], ["view", [-1]], ["flatten"], ["t"], ["squeeze_all"],
                      ["unsqueeze", [0]], ["unsqueeze", [-1]], ["contiguous"], ["clone"], ["slice", [0, 1, END, 2]]):
            yield [300], [["as_strided", shape, strides, [0]], after]
    yield [8], [["as_strided", [4], [-2], [7]]]
    yield [5], [["as_strided", [5], [-1], [3]]]
    for shape, asked in (([4, 0], [0, -1]), ([4, 0], [37, -1]), ([1, 1, 0], [6, 0]), ([0, 3], [3, 0]), ([0], [-1])):
        yield shape, [["view", asked]]
        yield shape, [["reshape", asked]]
    yield [3, 4], [["t"], ["view", [-1]]]
    yield [3, 4], [["t"], ["reshape", [-1]]]
    yield [2, 3, 4], [["t"]]
    for d in (-2, -1, 0, 1):
        for name, more in (("unsqueeze", []), ("squeeze", []), ("select", [0]), ("slice", [0, END, 1]),
                           ("transpose", [0]), ("flatten", [-1]), ("unfold", [1, 1]), ("unfold", [0, 1])):
            yield [], [[name, [d, *more]]]
    for sizes in ([], [-1], [1], [3], [2, 1], [0]):
        yield [], [["expand", sizes]]
        yield [1], [["expand", sizes]]


def ranges():
    """arange; floating steps are rounded in PyTorch's vector code more than once."""
    floating = [(0, 1, 0.1), (0, 5, 1), (1, -1, -0.3), (-3, 3, 0.25), (0, 10.5, 0.5), (0.1, 7, 0.1), (2, 2, 1), (0, 0.05, 0.1),
                (0, 1, -0.1), (1, 0, 0.1), (0, 1, 0), (0, INF, 1), (NAN, 1, 1), (5, 0, -2), (0, 40, 1.7), (1e-3, 2e-3, 1e-4)]
    whole = [(0, 5, 1), (0, 5, 2), (0, 6, 2), (5, 0, -2), (5, 0, -1), (-7, 8, 3), (3, 3, 1), (3, 3, -1), (0, 5, -1), (5, 0, 1),
             (0, 5, 0), (0, 1, 100), (0, -1, -100), (2**31 - 5, 2**31 - 1, 2), (-(2**31), -(2**31) + 3, 1)]
    wide = [(2**62, 2**62 + 3, 1), (-(2**63), -(2**63) + 5, 2), (2**63 - 3, 2**63 - 1, 1), (2**53 + 1, 2**53 + 6, 2)]
    for dtype, cases in (("float64", floating), ("float32", floating), ("bfloat16", floating), ("float16", floating),
                         ("int64", whole + wide), ("int32", whole)):
        for case in cases:
            try:
                numbers = torch.arange(*case, dtype=getattr(torch, dtype)).tolist()
            except RuntimeError:
                numbers = None
            yield [dtype, [c if abs(c) < INF else str(c) for c in case], numbers]


def main():
    with open(os.path.join(GOLDEN, "arange.json"), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in ranges()) + "\n]\n")
    draw = Draw(336)
    chains = [chain(*case) for case in by_hand()]
    for name in NAMES:
        wanted = len(chains) + (40 if name in ("t", "squeeze_all", "contiguous", "clone") else 90)
        while len(chains) < wanted:
            shape = draw.random.choice(SHAPES)
            steps, x = [], torch.empty(shape)
            for _ in range(draw.random.choice([0, 1, 1, 2, 3])):
                step = draw.step(draw.random.choice(BEFORE), x)
                try:
                    after = apply(x, step)
                    if all(size >= 0 for size in after.shape):
                        x = after
                        steps.append(step)
                except (RuntimeError, IndexError):
                    pass
            record = chain(shape, steps + [draw.step(name, x)]) if x.numel() <= 150 else None
            if record and record not in chains and (record[2] is None or len(record[2]["data"]) <= 150):
                chains.append(record)
    with open(os.path.join(GOLDEN, "views.json"), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in chains) + "\n]\n")
    refused = sum(c[2] is None for c in chains)
    print(f"views.json: {len(chains)} chains, {refused} of them refused")


if __name__ == "__main__":
    main()
