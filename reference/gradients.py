"""Gradients that PyTorch's autograd works out, in FP64: of every function, and of random graphs.

    python3 reference/gradients.py      (PyTorch 2.15)

writes golden/gradients.json: programs. A program has leaves (shape, values), steps (function, operands
by number: the leaves, then the results of the steps; arguments), the gradient of its last result, and what
backward then makes of it for each leaf. Arguments of reductions are keep, then the dimensions.
"""
import json
import math
import os
import random

import torch

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")


def reduction(f):
    return lambda x, keep, *dims: f(x[0], dim=list(dims) or list(range(x[0].dim())), keepdim=bool(keep))


def product(x, keep, *dims):
    y = x[0]
    for d in sorted(dims or range(y.dim()), reverse=True):
        y = torch.prod(y, dim=d, keepdim=True)
    return y if keep else y.squeeze(list(dims) or list(range(y.dim())))


def index(numbers):
    return torch.tensor(numbers, dtype=torch.int64)


def like(x, numbers):
    return index(numbers).reshape(x.shape)


FUNCTIONS = {
    "add": lambda x, alpha=1: torch.add(x[0], x[1], alpha=alpha),
    "sub": lambda x, alpha=1: torch.sub(x[0], x[1], alpha=alpha),
    "mul": lambda x: x[0] * x[1],
    "div": lambda x: x[0] / x[1],
    "add_number": lambda x, b: x[0] + b,
    "sub_number": lambda x, b: x[0] - b,
    "mul_number": lambda x, b: x[0] * b,
    "div_number": lambda x, b: x[0] / b,
    "neg": lambda x: -x[0],
    "abs": lambda x: x[0].abs(),
    "sign": lambda x: x[0].sign(),
    "exp": lambda x: x[0].exp(),
    "log": lambda x: x[0].log(),
    "sqrt": lambda x: x[0].sqrt(),
    "rsqrt": lambda x: x[0].rsqrt(),
    "tanh": lambda x: x[0].tanh(),
    "sigmoid": lambda x: x[0].sigmoid(),
    "relu": lambda x: x[0].relu(),
    "gelu": lambda x: torch.nn.functional.gelu(x[0]),
    "gelu_tanh": lambda x: torch.nn.functional.gelu(x[0], approximate="tanh"),
    "clamp": lambda x, low, high: x[0].clamp(low, high),
    "maximum": lambda x: torch.maximum(x[0], x[1]),
    "minimum": lambda x: torch.minimum(x[0], x[1]),
    "where": lambda x: torch.where(x[0] > 0, x[1], x[2]),
    "addcmul": lambda x, value: torch.addcmul(x[0], x[1], x[2], value=value),
    "lerp": lambda x, weight: torch.lerp(x[0], x[1], weight),
    "lerp_by": lambda x: torch.lerp(x[0], x[1], x[2]),
    "sum": reduction(torch.sum),
    "mean": reduction(torch.mean),
    "prod": product,
    "max": reduction(torch.amax),
    "min": reduction(torch.amin),
    "var": lambda x, correction, keep, *dims: torch.var(
        x[0], dim=list(dims) or list(range(x[0].dim())), correction=correction, keepdim=bool(keep)),
    "norm": lambda x, p, keep, *dims: torch.linalg.vector_norm(x[0], p, dim=list(dims) or None, keepdim=bool(keep)),
    "softmax": lambda x, d: torch.softmax(x[0], d),
    "log_softmax": lambda x, d: torch.log_softmax(x[0], d),
    "cumsum": lambda x, d: torch.cumsum(x[0], d),
    "matmul": lambda x: x[0] @ x[1],
    "index_select": lambda x, d, *i: torch.index_select(x[0], d, index(i)),
    "gather": lambda x, d, rows, *i: torch.gather(x[0], d, index(i).reshape(rows, -1)),
    "scatter_add": lambda x, d, rows, *i: torch.scatter_add(x[0], d, index(i).reshape(rows, -1), x[1]),
    "index_add": lambda x, d, *i: torch.index_add(x[0], d, index(i), x[1]),
    "cat": lambda x, d: torch.cat(x, d),
    "stack": lambda x, d: torch.stack(x, d),
    "sort": lambda x, d, down: torch.sort(x[0], dim=d, descending=bool(down), stable=True)[0],
    "topk": lambda x, k, d, largest: torch.topk(x[0], k, d, bool(largest))[0],
    "view": lambda x, *shape: x[0].view(shape),
    "reshape": lambda x, *shape: x[0].reshape(shape),
    "flatten": lambda x, a, b: x[0].flatten(a, b),
    "transpose": lambda x, a, b: x[0].transpose(a, b),
    "t": lambda x: x[0].t(),
    "permute": lambda x, *order: x[0].permute(order),
    "select": lambda x, d, i: x[0].select(d, i),
    "slice": lambda x, d, a, b, step: x[0][(slice(None),) * d + (slice(a, b, step),)],
    "expand": lambda x, *shape: x[0].expand(shape),
    "unsqueeze": lambda x, d: x[0].unsqueeze(d),
    "squeeze": lambda x: x[0].squeeze(),
    "squeeze_one": lambda x, d: x[0].squeeze(d),
    "unfold": lambda x, d, size, step: x[0].unfold(d, size, step),
    "diagonal": lambda x: x[0].diagonal(),  # as_strided here
    "contiguous": lambda x: x[0].transpose(0, 1).contiguous(),
    "clone": lambda x: x[0].clone(),
}


def leaf(shape, seed, low=None, ties=False):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(shape, generator=g, dtype=torch.float64)
    if low is not None:
        x = x.abs() + low
    if ties:
        x = (x * 2).round() / 2
    return x


def record(leaves, steps):
    """Runs a program and returns it with its gradients."""
    values = [x.clone().requires_grad_(True) for x in leaves]
    inputs = list(values)
    for function, operands, arguments in steps:
        values.append(FUNCTIONS[function]([values[k] for k in operands], *arguments))
    result = values[-1]
    seed = torch.cos(torch.arange(result.numel(), dtype=torch.float64) * 1.7).reshape(result.shape)
    if result.requires_grad:
        result.backward(seed)
    zero = [torch.zeros_like(x) if x.grad is None else x.grad for x in inputs]
    return {"leaves": [{"shape": list(x.shape), "values": x.flatten().tolist()} for x in leaves],
            "steps": [[f, list(o), list(a)] for f, o, a in steps],
            "gradient": seed.flatten().tolist(),
            "gradients": [g.flatten().tolist() for g in zero]}


def of_functions():
    def one(function, shapes, *arguments, low=None, ties=False):
        leaves = [leaf(s, 10 + k, low, ties) for k, s in enumerate(shapes)]
        return record(leaves, [(function, range(len(shapes)), arguments)])

    pairs = [[(2, 3), (2, 3)], [(3, 1), (1, 4)], [(2, 3, 2), (3, 1)], [(), (2,)], [(4,), ()], [(0, 3), (1, 3)], [(2, 0), (1,)]]
    for f in ("add", "sub", "mul", "maximum", "minimum"):
        for shapes in pairs:
            yield one(f, shapes)
    for shapes in pairs:
        yield one("div", shapes, low=0.3)
        yield one("where", [shapes[0], *shapes])
        yield one("addcmul", [*shapes, shapes[0]], -1.5)
        yield one("lerp", shapes, 0.3)
        yield one("lerp_by", [*shapes, shapes[1]])
    for f in ("maximum", "minimum"):
        yield one(f, [(4, 5), (4, 5)], ties=True)
    for f in ("add", "sub"):
        yield one(f, [(2, 3), (3,)], 2.5)
    alone = [(3, 5), (2, 1, 3), (), (0, 2)]
    for shape in alone:
        for f in ("neg", "abs", "sign", "exp", "tanh", "sigmoid", "relu", "gelu", "gelu_tanh", "clone"):
            yield one(f, [shape])
        for f in ("log", "sqrt", "rsqrt"):
            yield one(f, [shape], low=0.2)
        for f in ("add_number", "sub_number", "mul_number", "div_number"):
            yield one(f, [shape], -1.25)
        yield one("clamp", [shape], -0.5, 0.75)
    for f in ("abs", "relu"):
        yield one(f, [(4, 5)], ties=True)
    yield one("clamp", [(4, 5)], -0.5, 1.0, ties=True)
    for shape, dims in [((3, 5), ()), ((3, 5), (0,)), ((3, 5), (1,)), ((2, 3, 4), (0, 2)), ((2, 3, 4), (1,)), ((1, 4), (0,))]:
        for keep in (0, 1):
            for f in ("sum", "mean", "prod", "max", "min"):
                yield one(f, [shape], keep, *dims)
            for p in (2, 1, 3, 0.5, math.inf, -math.inf, 0):
                yield one("norm", [shape], p, keep, *dims)
            if dims != (0,) or shape[0] > 1:
                yield one("var", [shape], 1, keep, *dims)
            yield one("var", [shape], 0, keep, *dims)
    for f in ("max", "min"):
        yield one(f, [(4, 5)], 0, 1, ties=True)
    yield one("prod", [(4, 5)], 0, 1, ties=True)  # zeros among them
    yield one("prod", [(6, 2)], 0, 0, ties=True)
    for f in ("sum", "mean", "prod"):
        yield one(f, [(0, 3)], 0, 1)
    yield one("sum", [(0, 3)], 0, 0)
    for d in (0, 1, -1):
        for f in ("softmax", "log_softmax", "cumsum"):
            yield one(f, [(3, 4)], d)
            yield one(f, [(2, 3, 2)], d)
    for shapes in [[(3, 4), (4, 2)], [(4,), (4,)], [(3, 4), (4,)], [(4,), (4, 2)], [(2, 3, 4), (4, 5)], [(2, 3, 4), (2, 4, 5)],
                   [(2, 1, 3, 4), (3, 4, 2)], [(3, 4), (2, 4, 2)], [(4,), (2, 4, 3)], [(2, 3, 4), (4,)], [(0, 4), (4, 2)],
                   [(2, 0), (0, 3)], [(2, 0, 4), (4, 3)]]:
        yield one("matmul", shapes)
    yield one("index_select", [(4, 3)], 0, 2, 0, 2, 3)
    yield one("index_select", [(4, 3)], 1, 1, 1)
    yield one("gather", [(3, 4)], 1, 3, 0, 3, 3, 1, 0, 0)
    yield one("gather", [(3, 4)], 0, 2, 0, 2, 2, 1, 1, 1)
    yield one("scatter_add", [(3, 4), (3, 2)], 1, 3, 0, 3, 3, 1, 0, 0)
    yield one("index_add", [(4, 3), (2, 3)], 0, 3, 3)
    yield one("index_add", [(4, 3), (4, 2)], 1, 0, 2)
    yield one("cat", [(2, 3), (1, 3), (0, 3)], 0)
    yield one("cat", [(2, 3), (2, 1)], -1)
    yield one("stack", [(2, 3), (2, 3), (2, 3)], 1)
    for down in (0, 1):
        yield one("sort", [(3, 5)], 1, down)
        yield one("topk", [(3, 5)], 2, 1, down)
        yield one("topk", [(5, 2)], 3, 0, down)
    yield one("sort", [(5,)], 0, 0)
    yield one("view", [(2, 6)], 3, 4)
    yield one("reshape", [(2, 6)], -1)
    yield one("flatten", [(2, 3, 2)], 1, 2)
    yield one("transpose", [(2, 3, 4)], 0, -1)
    yield one("t", [(2, 3)])
    yield one("permute", [(2, 3, 4)], 2, 0, 1)
    yield one("permute", [(2, 3, 4)], -1, 0, 1)
    yield one("select", [(3, 4)], 1, -1)
    yield one("slice", [(3, 7)], 1, 1, 6, 2)
    yield one("slice", [(3, 7)], 0, -2, 9, 1)
    yield one("expand", [(3, 1)], 2, 3, 4)
    yield one("expand", [(1,)], 0)
    yield one("unsqueeze", [(3, 2)], 1)
    yield one("squeeze", [(1, 3, 1)])
    yield one("squeeze_one", [(3, 1, 2)], 1)
    yield one("unfold", [(2, 7)], 1, 3, 2)
    yield one("unfold", [(7, 2)], 0, 3, 1)
    yield one("diagonal", [(4, 4)])
    yield one("contiguous", [(2, 3)])


def of_a_random_graph(seed):
    """Ten to thirty functions of matrices, each of results that came before, some used several times."""
    draw = random.Random(seed)
    leaves = [leaf((draw.randint(1, 4), draw.randint(1, 4)), 100 * seed + k) for k in range(draw.randint(2, 4))]
    shapes, steps = [tuple(x.shape) for x in leaves], []

    def add(function, operands, arguments, shape):
        steps.append((function, operands, arguments))
        shapes.append(shape)

    for _ in range(draw.randint(10, 30)):
        a = draw.randrange(len(shapes))
        if draw.random() < 0.5:
            a = max(a, len(shapes) - 3)  # mostly what is new, so that graphs are deep
        (r, c), kind = shapes[a], draw.randrange(9)
        fits = [k for k, (p, q) in enumerate(shapes) if p in (r, 1) and q in (c, 1)]
        right = [k for k, (p, _) in enumerate(shapes) if p == c]
        if kind == 0:
            add(draw.choice(["tanh", "sigmoid", "relu", "gelu", "neg"]), [a], [], (r, c))
        elif kind == 1:
            add(draw.choice(["add", "sub", "mul", "maximum"]), [a, draw.choice(fits)], [], (r, c))
        elif kind == 2 and right:
            b = draw.choice(right)
            add("matmul", [a, b], [], (r, shapes[b][1]))
            add("tanh", [len(shapes) - 1], [], shapes[-1])
        elif kind == 3:
            add("transpose", [a], [0, 1], (c, r))
        elif kind == 4:
            add(draw.choice(["softmax", "cumsum"]), [a], [draw.choice([0, 1])], (r, c))
            add("tanh", [len(shapes) - 1], [], (r, c))
        elif kind == 5:
            d = draw.choice([0, 1])
            add(draw.choice(["mean", "sum"]), [a], [1, d], (1, c) if d == 0 else (r, 1))
            add("sigmoid", [len(shapes) - 1], [], shapes[-1])
        elif kind == 6 and r > 1:
            add("slice", [a], [0, 0, r - 1, 1], (r - 1, c))
        elif kind == 7 and r + r <= 4:
            add("cat", [a, a], [0], (r + r, c))
        else:
            add("mul_number", [a], [draw.choice([0.5, -1.5])], (r, c))
    # All of it ends in one number, so that no branch hangs loose.
    total = None
    for k in range(len(leaves), len(shapes)):
        steps.append(("sum", [k], [0]))
        shapes.append(())
        last = len(shapes) - 1
        if total is not None:
            steps.append(("add", [total, last], []))
            shapes.append(())
            last = len(shapes) - 1
        total = last
    return record(leaves, steps)


def finite(value):
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list):
        return [finite(v) for v in value]
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


if __name__ == "__main__":
    torch.set_num_threads(1)
    programs = {"functions": list(of_functions()), "graphs": [of_a_random_graph(seed) for seed in range(200)]}
    with open(os.path.join(GOLDEN, "gradients.json"), "w") as file:
        for at, (name, all_of_them) in enumerate(programs.items()):
            file.write(("{\n" if at == 0 else ",\n") + json.dumps(name) + ": [\n")
            file.write(",\n".join(json.dumps(finite(p), separators=(",", ":")) for p in all_of_them) + "\n]")
        file.write("\n}\n")
