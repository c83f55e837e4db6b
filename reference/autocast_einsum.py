"""What torch.autocast does to einsum: on CUDA all operands are cast before anything else, on the CPU
only the matrix products inside are.

golden/autocast_einsum.json: device and lower precision -> pattern, of axes of size 2 -> dtypes of the
first operand and of the others, or the one that all have -> dtype of the result, or "refused". On CUDA
the operands are fake tensors (autocast.py). Patterns whose answer depends on the order in which pairs
are taken are left out.
"""
import json, logging, os
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from recording import DTYPES, GOLDEN

NAMES = {dtype: name for name, dtype in DTYPES.items()}
OPERANDS = ["fp32", "bf16", "fp16", "fp64", "int64", "bf16 fp32", "fp32 bf16", "fp16 fp32"]
PATTERNS = ["i k, k j -> i j", "i k, k -> i", "i, i ->", "b i k, b k j -> b i j", "i k, k j -> j i",
            "i k, k j, j l -> i l", "i, j -> i j", "i j, i j -> i j", "i j, k -> i k", "i j, k l ->",
            "i j -> i", "i j -> j i", "i i -> i"]
logging.disable(logging.ERROR)  # of refused fake tensors


def result(device, pattern, first, others):
    sides = pattern.split("->")[0].split(",")
    operands = [torch.ones([2] * len(side.split()), device=device).to(DTYPES[others if i else first])
                for i, side in enumerate(sides)]
    try:
        torch.set_autocast_enabled(device, True)
        return NAMES[torch.einsum(pattern.replace(" ", ""), *operands).dtype]
    except (RuntimeError, TypeError):
        return "refused"
    finally:
        torch.set_autocast_enabled(device, False)
        torch.clear_autocast_cache()


def table(device, low):
    torch.set_autocast_dtype(device, DTYPES[low])
    return {p: {o: result(device, p, o.split()[0], o.split()[-1]) for o in OPERANDS if " " not in o or "," in p}
            for p in PATTERNS}


tables = {"cpu": {low: table("cpu", low) for low in ("bf16", "fp16")}}
with FakeTensorMode():
    tables["cuda"] = {low: table("cuda", low) for low in ("bf16", "fp16")}
with open(os.path.join(GOLDEN, "autocast_einsum.json"), "w") as file:
    rows = (f'"{device} {low}": {{\n' + ",\n".join(f' "{op}": {json.dumps(row)}' for op, row in ops.items()) + "\n}"
            for device, lows in tables.items() for low, ops in lows.items())
    file.write("{" + ",\n".join(rows) + "}\n")
