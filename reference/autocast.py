"""What torch.autocast does to each operator: the dtype of its result, on the CPU and on CUDA.

golden/autocast.json: device and lower precision -> operator -> dtypes of the first operand and of the
others, or the one that all have -> dtype of the result, or "refused". On CUDA the operands are fake
tensors, which have a device and a dtype but no elements, so that no GPU is needed: it is PyTorch's
dispatcher that casts.
"""
import json, logging, os
from inspect import signature
import torch
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode
from recording import DTYPES, GOLDEN

NAMES = {dtype: name for name, dtype in DTYPES.items()}
OPERANDS = [("fp32", "fp32"), ("bf16", "bf16"), ("fp16", "fp16"), ("fp64", "fp64"), ("bf16", "fp32"),
            ("fp32", "bf16"), ("fp16", "fp32")]
logging.disable(logging.ERROR)  # of refused fake tensors
# x, y, z: (4, 4); x of the first dtype, y and z of the second; i: numbers of rows, n: (4, 4) of them.
OPERATORS = {
    "matmul": lambda x, y: x @ y,
    "mm": lambda x, y: torch.mm(x, y),
    "mv": lambda x, y: torch.mv(x, y[0]),
    "bmm": lambda x, y: torch.bmm(x[None], y[None]),
    "addmm": lambda x, y, z: torch.addmm(z, x, y),
    "baddbmm": lambda x, y, z: torch.baddbmm(z[None], x[None], y[None]),
    "linear": lambda x, y: F.linear(x, y),
    "einsum": lambda x, y: torch.einsum("ij,jk->ik", x, y),
    "conv1d": lambda x, y: F.conv1d(x[None], y[..., None]),
    "conv2d": lambda x, y: F.conv2d(x[None, None], y[None, None]),
    "scaled_dot_product_attention":
        lambda x, y, z: F.scaled_dot_product_attention(x[None, None], y[None, None], z[None, None]),
    "softmax": lambda x: torch.softmax(x, 1),
    "log_softmax": lambda x: torch.log_softmax(x, 1),
    "layer_norm": lambda x: F.layer_norm(x, (4,)),
    "rms_norm": lambda x: F.rms_norm(x, (4,)),
    "group_norm": lambda x: F.group_norm(x[None], 2),
    "sum": lambda x: torch.sum(x, 1),
    "mean": lambda x: torch.mean(x, 1),
    "var": lambda x: torch.var(x, 1),
    "std": lambda x: torch.std(x, 1),
    "prod": lambda x: torch.prod(x, 1),
    "cumsum": lambda x: torch.cumsum(x, 1),
    "cumprod": lambda x: torch.cumprod(x, 1),
    "norm": lambda x: torch.linalg.vector_norm(x, 2, 1),
    "logsumexp": lambda x: torch.logsumexp(x, 1),
    "max": lambda x: torch.amax(x, 1),
    "min": lambda x: torch.amin(x, 1),
    "argmax": lambda x: torch.argmax(x, 1),
    "argmin": lambda x: torch.argmin(x, 1),
    "exp": lambda x: torch.exp(x),
    "expm1": lambda x: torch.expm1(x),
    "log": lambda x: torch.log(x),
    "log1p": lambda x: torch.log1p(x),
    "log2": lambda x: torch.log2(x),
    "log10": lambda x: torch.log10(x),
    "pow": lambda x: torch.pow(x, 3),
    "sqrt": lambda x: torch.sqrt(x),
    "rsqrt": lambda x: torch.rsqrt(x),
    "reciprocal": lambda x: torch.reciprocal(x),
    "sin": lambda x: torch.sin(x),
    "cos": lambda x: torch.cos(x),
    "tanh": lambda x: torch.tanh(x),
    "sigmoid": lambda x: torch.sigmoid(x),
    "relu": lambda x: torch.relu(x),
    "gelu": lambda x: F.gelu(x),
    "silu": lambda x: F.silu(x),
    "softplus": lambda x: F.softplus(x),
    "dropout": lambda x: F.dropout(x, 0.5),
    "cross_entropy": lambda x, i: F.cross_entropy(x, i),
    "nll_loss": lambda x, i: F.nll_loss(x, i),
    "mse_loss": lambda x, y: F.mse_loss(x, y),
    "l1_loss": lambda x, y: F.l1_loss(x, y),
    "smooth_l1_loss": lambda x, y: F.smooth_l1_loss(x, y),
    "huber_loss": lambda x, y: F.huber_loss(x, y),
    "kl_div": lambda x, y: F.kl_div(x, y, reduction="sum"),
    "binary_cross_entropy_with_logits": lambda x, y: F.binary_cross_entropy_with_logits(x, y),
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x: -x,
    "abs": lambda x: x.abs(),
    "sign": lambda x: x.sign(),
    "clamp": lambda x: x.clamp(0, 1),
    "maximum": lambda x, y: torch.maximum(x, y),
    "minimum": lambda x, y: torch.minimum(x, y),
    **{name: lambda x, y, name=name: getattr(torch, name)(x, y) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "where": lambda x, y, n: torch.where(n > 0, x, y),
    "addcmul": lambda x, y, z: torch.addcmul(x, y, z),
    "lerp": lambda x, y: torch.lerp(x, y, 0.25),
    "index_select": lambda x, i: torch.index_select(x, 0, i),
    "gather": lambda x, n: torch.gather(x, 1, n),
    "scatter_add": lambda x, y, n: torch.scatter_add(x, 1, n, y),
    "index_add": lambda x, i: torch.index_add(x, 0, i, x),
    "cat": lambda x, y: torch.cat([x, y]),
    "stack": lambda x, y: torch.stack([x, y]),
    "sort": lambda x: torch.sort(x).values,
    "topk": lambda x: torch.topk(x, 2).values,
    "copy": lambda x: x.clone(),
    "fill": lambda x: torch.full_like(x, 2),
    "embedding": lambda x, i: F.embedding(i, x),
    "dot": lambda x, y: torch.dot(x[0], y[0]),
}


def result(function, device, first, second):
    make = lambda dtype: torch.rand(4, 4, device=device).to(DTYPES[dtype])
    operands = {"x": make(first), "y": make(second), "z": make(second),
                "i": torch.zeros(4, dtype=torch.int64, device=device),
                "n": torch.zeros(4, 4, dtype=torch.int64, device=device)}
    try:
        torch.set_autocast_enabled(device, True)
        taken = [operands[name] for name in signature(function).parameters if name in operands]
        return NAMES[function(*taken).dtype]
    except (RuntimeError, TypeError):
        return "refused"
    finally:
        torch.set_autocast_enabled(device, False)
        torch.clear_autocast_cache()


def table(device, low):
    torch.set_autocast_dtype(device, DTYPES[low])
    return {name: {a if a == b else f"{a} {b}": result(f, device, a, b) for a, b in OPERANDS
                   if a == b or "y" in signature(f).parameters} for name, f in OPERATORS.items()}


tables = {"cpu": {low: table("cpu", low) for low in ("bf16", "fp16")}}
with FakeTensorMode():
    tables["cuda"] = {low: table("cuda", low) for low in ("bf16", "fp16")}
with open(os.path.join(GOLDEN, "autocast.json"), "w") as file:
    rows = (f'"{device} {low}": {{\n' + ",\n".join(f' "{op}": {json.dumps(row)}' for op, row in ops.items()) + "\n}"
            for device, lows in tables.items() for low, ops in lows.items())
    file.write("{" + ",\n".join(rows) + "}\n")
