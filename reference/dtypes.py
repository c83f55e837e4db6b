"""PyTorch's element types (torch 2.15): sizes, kinds, and what two of them are promoted to.

Writes golden/dtypes.safetensors, in the order of ORDER: `promote` (11 x 11) holds the position of the
result, 255 where PyTorch refuses the pair; `bytes` and `floating` one entry for each type.
"""
import os

import torch
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
ORDER = [torch.float64, torch.float32, torch.bfloat16, torch.float16, torch.float8_e4m3fn,
         torch.float8_e5m2, torch.int64, torch.int32, torch.uint16, torch.uint8, torch.bool]


def promoted(a, b):
    try:
        return ORDER.index(torch.promote_types(a, b))
    except RuntimeError:
        return 255


if __name__ == "__main__":
    tensors = {
        "promote": torch.tensor([[promoted(a, b) for b in ORDER] for a in ORDER], dtype=torch.uint8),
        "bytes": torch.tensor([dtype.itemsize for dtype in ORDER]),
        "floating": torch.tensor([dtype.is_floating_point for dtype in ORDER], dtype=torch.uint8),
    }
    save_file(tensors, f"{HERE}/golden/dtypes.safetensors")
