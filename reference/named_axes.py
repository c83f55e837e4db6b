"""What einops 0.8.2 makes of patterns, those it refuses among them.

    python3 reference/named_axes.py      (einops 0.8.2, PyTorch 2.15)

writes golden/named_axes.safetensors (recording.py has its form). In a pattern "~" stands for a space and "^"
for a tab; sizes are "h=2,w=3" or "-". Elements are small integers, so that every order of additions gives the same bits, and 0 has no sign in
the results of einsum.
"""
import random

import einops
import torch
from recording import Operand, Recorder, layouts, small_integers

recorder = Recorder("named_axes")


def word(pattern):
    return "~" + pattern.replace(" ", "~").replace("\t", "^")


def text(word):
    return word[1:].replace("~", " ").replace("^", "\t")


random.seed(3)
made = 0


def operand(dtype, shape, way):
    global made
    made += 1
    return Operand(dtype, list(shape), way, small_integers(dtype, Operand.elements(list(shape), way), made % 7))


def record(operation, shape, pattern, reduction=None, dtype="fp32", way="contiguous", **sizes):
    def run(x, pattern, reduction, sizes):
        given = {} if sizes == "-" else {k: int(v) for k, v in (pair.split("=") for pair in sizes.split(","))}
        pattern = text(pattern)
        if operation == "reduce":
            return einops.reduce(x, pattern, reduction, **given)
        return getattr(einops, operation)(x, pattern, **given)

    written = ",".join(f"{k}={v}" for k, v in sizes.items()) or "-"
    recorder.record(operation, run, operand(dtype, shape, way), word(pattern), reduction or "-", written)


def einsum(pattern, *shapes, dtype="fp32", way="contiguous"):
    ways = [way if way in layouts(list(s)) else "contiguous" for s in shapes]
    recorder.record("einsum", lambda tensors, pattern: einops.einsum(*tensors, text(pattern)) + 0,
                    [operand(dtype, s, w) for s, w in zip(shapes, ways)], word(pattern))


WAYS = ("contiguous", "transposed", "sliced", "repeated", "permuted")
for way in WAYS:
    for dtype in ("fp32", "bf16", "int64", "uint8", "bool"):
        record("rearrange", [2, 3, 4], "b s (h d) -> b h s d", h=2, way=way, dtype=dtype)
        record("repeat", [2, 2, 3], "b kv d -> b (kv g) d", g=2, way=way, dtype=dtype)
    record("rearrange", [2, 4, 6], "b (h p) (w q) -> (b h w) (p q)", p=2, q=3, way=way)
    record("rearrange", [2, 3, 4], "a ... -> ... a", way=way)
    record("rearrange", [2, 3, 4], "a b c -> (c b a)", way=way)
    record("rearrange", [2, 3, 4], "a ... -> a (...)", way=way)
    for reduction in ("sum", "mean", "max", "min", "prod"):
        record("reduce", [2, 4, 6], "b (h 2) (w 3) -> b h w", reduction, way=way)
        record("reduce", [2, 3, 4], "a b c -> c a", reduction, way=way)
        record("reduce", [2, 3, 4], "a ... -> a", reduction, way=way, dtype="fp64")
for reduction in ("sum", "mean", "max", "min", "prod"):
    for dtype in ("fp64", "bf16", "fp16", "int64", "int32", "uint8"):
        record("reduce", [3, 4], "a b -> a", reduction, dtype=dtype)
        record("reduce", [3, 4], "a b ->", reduction, dtype=dtype)
    record("reduce", [3, 0], "a b -> a", reduction)
    record("reduce", [0, 3], "a b -> a", reduction)
    record("reduce", [3, 4], "a b -> b a", reduction)

for shape, pattern, sizes in [
    ([2, 3], "a b -> b a", {}), ([2, 3], "a b->b a", {}), ([2, 3], "  a   b  ->  b a  ", {}), ([2, 3], "a\tb -> b a", {}),
    ([2, 3], "a b -> a", {}), ([2, 3], "a -> a", {}), ([2, 3], "a b -> a b c", {}), ([2, 3], "a b - > b a", {}),
    ([2, 3], "a b -> b a", {"a": 2}), ([2, 3], "a b -> b a", {"a": 3}), ([2, 3], "a b -> b a", {"c": 2}),
    ([2, 1], "a 1 -> a", {}), ([2, 1], "a () -> a", {}), ([2, 3], "a 1 -> a", {}), ([2], "a -> 1 a ()", {}), ([1], "1 ->", {}),
    ([], "->", {}), ([], "-> 1", {}), ([], "... -> ...", {}), ([], " -> ...", {}), ([3], " -> ...", {}), ([3], "... -> a", {}),
    ([0, 0], "... -> 1 ...", {}), ([0, 3], "(a b) c -> a b c", {"a": 2}), ([4, 3], "(a b) c -> a b c", {"a": 2, "b": 2}),
    ([4, 3], "(a b) c -> a b c", {"a": 2, "b": 3}), ([4, 3], "(a b) c -> a b c", {}), ([1, 3], "(b f) d -> b f d", {"f": 16}),
    ([16, 11, 11], "b (r h) l -> b l h r", {"r": 2}), ([3, 3, 4], "b b c -> b c", {}), ([3, 4], "b c -> b b c", {}),
    ([2, 3], "a 3 -> a 3", {}), ([2, 3], "(a 1) b -> b (1 a)", {}), ([2, 3], "((a) b) -> a b", {}), ([2, 3], "(a b -> a b", {}),
    ([2, 3], "a b) -> a b", {}), ([2, 3], "a .. -> a ..", {}), ([2, 3], "... ... -> ...", {}), ([2, 3], "a . . . -> a", {}),
    ([2, 3], "a... -> ...a", {}), ([2, 3], "(a ...) -> a ...", {}), ([2, 3], "a ... -> a ...", {}), ([2, 3], "a b ... -> ... b a", {}),
    ([2, 3], "a b c ... -> ... b a c", {}), ([2, 3], "a ... -> a", {}), ([2, 3], "_ b -> b _", {}), ([2, 3], "_a b -> b _a", {}),
    ([2, 3], "a_ b -> b a_", {}), ([2, 3], "a_1 b2 -> b2 a_1", {}), ([2, 3], "1a b -> b 1a", {}), ([2, 3], "α 头 -> 头 α", {}),
    ([2, 3], "a b → b a", {}), ([2, 3], "a, b -> b a", {}), ([2, 3], "a b -> b a -> a b", {}), ([2, 3], "a b", {}), ([2, 3], "", {}),
    ([2, 3], "a-b -> b", {}), ([2, 3], "a 0 -> a", {}), ([2, 3], "01 a b -> a b", {}), ([1, 2, 3], "01 a b -> a b", {}),
    ([2, 3], "a b -> (a b)", {}), ([2, 3], "a b -> (b) (a)", {}), ([2, 3], "a b -> () (b a) 1", {}), ([2, 3], "a² b -> b a²", {}),
    ([2, 3], "a b -> b (a ...)", {}), ([2, 3, 4], "a ... -> (... a)", {}), ([6], "(a b ) -> b a", {"b": 3}),
]:
    record("rearrange", shape, pattern, **sizes)
for shape, pattern, sizes in [
    ([2, 3], "h w -> h w c", {}), ([2, 3], "h w -> h w c", {"c": 2}), ([2, 3], "h w -> h w c", {"c": 0}), ([2, 3], "h w -> h 2 w", {}),
    ([2, 3], "h w -> (h 2) (w 2)", {}), ([2, 3], "h w -> (2 h) (2 w)", {}), ([2, 3], "h w -> h", {}), ([2, 3], "h 3 -> h 3", {}),
    ([2, 3], "... -> 2 ...", {}), ([2, 3], "... -> (2 ...)", {}), ([2, 3], "... -> ... c", {"c": 3}), ([], "-> a b", {"a": 2, "b": 3}),
    ([2, 1], "a 1 -> a b", {"b": 3}), ([2, 3], "h w -> w (c h)", {"c": 2}), ([6], "(a b) -> a c b", {"a": 2, "c": 2}),
    ([0, 3], "a b -> a (b c)", {"c": 2}), ([2, 3], "h w -> h w h", {}), ([2, 3], "h w -> h w 0", {}), ([2], "a -> a b c", {"b": 2}),
]:
    record("repeat", shape, pattern, **sizes)
for shape, pattern in [([3, 3], "h h -> h"), ([2, 3], "a b -> c"), ([2, 3], "a 3 -> a"), ([2, 3], "a 4 -> a"), ([2, 3], "a 3 -> a 3"),
                       ([2, 3], "a b -> a 1"), ([2, 3], "... -> "), ([2, 3], "... b -> ..."), ([2, 3], "... b -> b"), ([4], "(2 2) ->"),
                       ([2, 3], "a b -> (a) ()"), ([1, 3], "1 b -> b"), ([2, 3], "a b -> ..."), ([4, 6], "(a 2) (b 3) -> (a b)")]:
    record("reduce", shape, pattern, "sum")
    record("reduce", shape, pattern, "max")


def group(axes):
    """The axes, some of them side by side in parentheses."""
    text, sides = [], []
    while axes:
        take = random.choice((1, 1, 1, 2, 3))
        part, axes = axes[:take], axes[take:]
        text.append(part[0] if len(part) == 1 else f"({' '.join(part)})")
        sides.append(part)
    return " ".join(text), sides


def shape_of(sides, size):
    shape = []
    for part in sides:
        n = 1
        for a in part:
            n *= size[a]
        shape.append(n)
    return shape


for turn in range(150):
    names = random.sample(["a", "b", "c", "d", "height", "w_2"], random.randint(1, 5))
    size = {n: random.choice((1, 2, 2, 3, 0 if turn % 10 == 0 else 2)) for n in names}
    left, sides = group(names)
    operation = random.choice(("rearrange", "reduce", "repeat"))
    kept = random.sample(names, len(names))
    given = {a: size[a] for part in sides if len(part) > 1 for a in part if part[0] != a or size[a] != 2}
    if operation == "reduce":
        kept = kept[: random.randint(0, len(kept))]
    if operation == "repeat":
        given["new"] = size["new"] = random.randint(1, 3)
        kept.insert(random.randint(0, len(kept)), "new")
    right, _ = group(kept)
    try:
        record(operation, shape_of(sides, size), f"{left} -> {right}", random.choice(("sum", "max", "mean")) if operation == "reduce" else None,
               way=random.choice([w for w in WAYS if w in layouts(shape_of(sides, size))]), **given)
    except ZeroDivisionError:
        pass  # einops divides by the size 0; C++ refuses

for shape, pattern in [([2, 3, 4], "a b c"), ([2, 3, 4], "a _ c"), ([2, 3, 4], "_ _ c"), ([2, 3, 4], "a ..."), ([2, 3, 4], "... c"),
                       ([2, 3, 4], "a b"), ([2, 3, 4], "a b c d"), ([2, 3, 4], "a b c ..."), ([2, 3, 4], "a b c d ..."), ([2, 1], "a 1"),
                       ([2, 1], "a ()"), ([2, 3], "a 1"), ([2, 3], "a 3"), ([2, 3], "a 2"), ([2, 3], "(a b)"), ([2, 3], "(a b) c"),
                       ([2, 3], "(a) b"), ([2, 3], "a a"), ([], ""), ([2], ""), ([2, 3], "a -> b"), ([], "...")]:
    recorder.record("parse_shape", lambda x, p: torch.tensor(
        [n for k, v in einops.parse_shape(x, text(p)).items() for n in (ord(k), v)], dtype=torch.int64),
        operand("fp32", shape, "contiguous"), word(pattern))

for way in WAYS:
    einsum("b q d, b k d -> b q k", [2, 3, 4], [2, 5, 4], way=way)
    einsum("b q k, b k d -> b q d", [2, 3, 4], [2, 4, 2], way=way)
    einsum("... a b, ... b c -> ... a c", [5, 2, 3], [5, 3, 4], way=way)
    einsum("b h q d, h d e -> b q e", [2, 2, 3, 2], [2, 2, 4], way=way)
    einsum("a b c, c b d, a g d -> g a", [2, 3, 2], [2, 3, 4], [2, 3, 4], way=way)
    einsum("i i j -> j i", [3, 3, 2], way=way)
for dtype in ("fp64", "bf16", "fp16", "int64", "int32", "uint8"):
    einsum("i k, k j -> i j", [2, 3], [3, 4], dtype=dtype)
    einsum("i, j -> i j", [2], [3], dtype=dtype)
for pattern, *shapes in [
    ("ii -> i", [3, 3]), ("i i -> i", [3, 3]), ("i i ->", [3, 3]), ("i i -> i", [2, 3]), ("i i -> i", [1, 3]), ("i i, i -> i", [3, 3], [3]),
    ("out in, in -> out", [3, 2], [2]), ("out in, inn -> out", [3, 2], [2]), ("a b -> b a", [2, 3]), ("a b -> a", [2, 3]), ("a b ->", [2, 3]),
    ("a, b -> b a", [2], [3]), ("a b, b c, c d -> a d", [2, 3], [3, 4], [4, 2]), ("a b, c d -> ", [2, 3], [4, 2]), ("->", []),
    (",->", [], []), ("a, -> a", [3], []), (", a b -> b a", [], [2, 3]), ("a b, b c -> a c", [2, 3], [4, 2]), ("a b, b c -> a c", [2, 1], [4, 2]),
    ("a b, b c -> a c", [2, 3], [1, 2]), ("a b, a b -> a b", [2, 3], [2, 3]), ("a b, a b -> a b", [2, 1], [2, 3]), ("a b, b -> a b", [2, 3], [3]),
    ("a b, b c -> a d", [2, 3], [3, 2]), ("a b, b c -> a a", [2, 3], [3, 2]), ("a b, b c", [2, 3], [3, 2]), ("a b -> a b", [2, 3], [3, 2]),
    ("a b, b c -> a c", [2, 3]), ("(a b), b -> a", [6], [3]), ("a 1, a -> a", [2, 1], [2]), ("a 2 -> a", [2, 2]), ("_ a, a -> _", [2, 3], [3]),
    ("a b c, b c -> a", [2, 3], [2, 3]), ("... a -> a", [2, 3, 4]), ("... a, a ... -> ...", [3, 2], [2, 3]), ("... a, ... a -> ...", [5, 1, 2], [3, 2]),
    ("... a, ... b -> a b ...", [2, 2], [2, 3]), ("... a, b ... -> ... b a", [4, 3, 2], [5, 3]), ("... , ... -> ...", [2, 3], [3]),
    ("... ... -> ...", [2, 3]), ("a b, b c -> a c", [2, 0], [0, 3]), ("a b, b c -> a c", [0, 2], [2, 3]), ("a b c d, d c e -> a e b", [2, 3, 2, 2], [2, 2, 3]),
    ("a b, a c, a d -> b c d", [2, 3], [2, 2], [2, 3]), ("a b, c b, b -> a c", [2, 3], [4, 3], [3]), ("a, a, a, a ->", [3], [3], [3], [3]),
    ("a b, b c, c d, d e, e f, f g, g h, h i, i j -> a j", [2, 3], [3, 2], [2, 2], [2, 3], [3, 2], [2, 2], [2, 2], [2, 2], [2, 3]),
    ("b i j, b j k -> i b k", [2, 3, 4], [2, 4, 5]), ("i b j, j b k -> b k i", [3, 2, 4], [4, 2, 5]), ("a b, a b -> ", [2, 3], [2, 3]),
    ("a a b, b b -> a", [2, 2, 3], [3, 3]), ("a b, c -> a", [2, 3], [4]),
]:
    einsum(pattern, *shapes)
for turn in range(80):
    names = ["a", "b", "c", "d", "e"]
    size = {n: random.randint(1, 4) for n in names}
    sides = [[random.choice(names) for _ in range(random.randint(0, 4))] for _ in range(random.randint(1, 4))]
    used = sorted({a for s in sides for a in s})
    result = random.sample(used, random.randint(0, len(used)))
    einsum(", ".join(" ".join(s) for s in sides) + " -> " + " ".join(result), *[[size[a] for a in s] for s in sides],
           way=random.choice(WAYS))

# Integers of all sizes: exact modulo 2^bits, but int64 where one operand is summed over alone.
for dtype in ("uint8", "int32", "int64"):
    for pattern, *shapes in [
        ("a, a ->", [9], [9]), ("a b, b c -> a c", [2, 9], [9, 3]), ("a, b -> b", [9], [8]), ("a, b ->", [9], [8]),
        ("a b, c -> a c", [3, 5], [7]), ("a b, c -> a b", [3, 5], [1]), ("a b, b c -> a c", [2, 1], [9, 3]),
        ("a b, c ->", [1, 1], [1]), ("a, b, c -> b", [5], [7], [9]), ("a b ->", [1, 1]), ("a b -> a", [3, 9]),
    ]:
        recorder.record("einsum", lambda tensors, pattern: einops.einsum(*tensors, text(pattern)),
                        [Operand(dtype, shape) for shape in shapes], word(pattern))

recorder.save()
