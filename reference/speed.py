"""The other side of `./lecture bench library`: times PyTorch's operations when asked to.

    python3 reference/speed.py THREADS

Prints its version, then answers each line "operation dtype device rows columns" on standard input
with the seconds of the shortest of three runs, or "nan" where PyTorch has no such operation. Inputs
as in common/tensor/testing/samples.cpp.
"""
import sys
import time

import torch

from recording import DTYPES

OPERATIONS = {
    "add": lambda i: i.x + i.y, "sub": lambda i: i.x - i.y, "mul": lambda i: i.x * i.y,
    "div": lambda i: i.x / i.y, "neg": lambda i: -i.x, "abs": lambda i: i.x.abs(), "sign": lambda i: i.x.sign(),
    "exp": lambda i: i.x.exp(), "log": lambda i: i.x.log(), "sqrt": lambda i: i.x.sqrt(),
    "rsqrt": lambda i: i.x.rsqrt(), "tanh": lambda i: i.x.tanh(), "sigmoid": lambda i: i.x.sigmoid(),
    "relu": lambda i: i.x.relu(), "gelu": lambda i: torch.nn.functional.gelu(i.x),
    "clamp": lambda i: i.x.clamp(1, 2), "maximum": lambda i: torch.maximum(i.x, i.y),
    "minimum": lambda i: torch.minimum(i.x, i.y), "eq": lambda i: i.x == i.y, "ne": lambda i: i.x != i.y,
    "lt": lambda i: i.x < i.y, "le": lambda i: i.x <= i.y, "gt": lambda i: i.x > i.y, "ge": lambda i: i.x >= i.y,
    "where": lambda i: torch.where(i.condition, i.x, i.y), "addcmul": lambda i: torch.addcmul(i.x, i.y, i.z),
    "lerp": lambda i: torch.lerp(i.x, i.y, 0.25), "sum": lambda i: i.x.sum(1), "mean": lambda i: i.x.mean(1),
    "prod": lambda i: i.x.prod(1), "max": lambda i: i.x.amax(1), "min": lambda i: i.x.amin(1),
    "argmax": lambda i: i.x.argmax(1), "argmin": lambda i: i.x.argmin(1), "var": lambda i: i.x.var(1),
    "norm": lambda i: torch.linalg.vector_norm(i.x, 2, 1), "softmax": lambda i: i.x.softmax(1),
    "log_softmax": lambda i: i.x.log_softmax(1), "cumsum": lambda i: i.x.cumsum(1),
    "matmul": lambda i: i.x @ i.square, "index_select": lambda i: i.x.index_select(0, i.index),
    "gather": lambda i: i.x.gather(1, i.places), "scatter_add": lambda i: i.x.scatter_add(1, i.places, i.y),
    "index_add": lambda i: i.x.index_add(0, i.index, i.y), "cat": lambda i: torch.cat([i.x, i.y]),
    "stack": lambda i: torch.stack([i.x, i.y]), "sort": lambda i: torch.sort(i.x, dim=1, stable=True),
    "topk": lambda i: i.x.topk(min(5, i.x.shape[1])), "copy": lambda i: i.x.clone(),
    "fill": lambda i: torch.ones_like(i.x),
}


def numbers(shape, dtype, device):
    x = torch.rand(shape)
    if dtype.is_floating_point:
        return (x + 0.5).to(dtype).to(device)
    return (x * (2 if dtype == torch.bool else 7)).to(torch.int64).to(dtype).to(device)


class Inputs:
    def __init__(self, dtype, device, rows, columns):
        self.x, self.y, self.z = (numbers((rows, columns), dtype, device) for _ in range(3))
        self.square = numbers((columns, rows), dtype, device)
        self.condition = numbers((rows, columns), torch.bool, device)
        self.index = torch.randint(0, rows, (rows,)).to(device)
        self.places = torch.randint(0, columns, (rows, columns)).to(device)


def seconds(operation, inputs, device):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        OPERATIONS[operation](inputs)
        if device == "cuda":
            torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return best


if __name__ == "__main__":
    torch.set_num_threads(int(sys.argv[1]))
    print("PyTorch", torch.__version__, flush=True)
    made = None
    for line in sys.stdin:
        operation, dtype, device, *size = line.split()
        try:
            if made != (dtype, device, size):
                made, inputs = (dtype, device, size), Inputs(DTYPES[dtype], device, *map(int, size))
            print(seconds(operation, inputs, device), flush=True)
        except Exception:  # no such operation or type there
            print("nan", flush=True)
