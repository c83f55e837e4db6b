"""A safetensors file with every type, written by the Python library (torch 2.15, safetensors 0.8).

Writes golden/every_type.safetensors. Its values are 1, 2, 3 and so on, in names that want escapes;
one entry of metadata, as the library writes several in no fixed order. golden/null_metadata.safetensors:
"__metadata__": null, which the library reads and does not write.
"""
import os

import torch
from safetensors.torch import load, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
PLAIN = ["uint8", "int8", "int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32", "float64",
         "int64", "uint64", "complex64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]

if __name__ == "__main__":
    tensors = {name: torch.arange(1, 7).to(getattr(torch, name)).reshape(2, 3) for name in PLAIN}
    tensors["bool"] = torch.tensor([True, False, True])
    tensors["no elements"] = torch.zeros(3, 0, 2, dtype=torch.float64)
    tensors["0 dimensions"] = torch.tensor(3.5)
    tensors['"quotes", \\, \n, \x01, é, €, 😀'] = torch.tensor([7.0])
    tensors[""] = torch.tensor([8.0])
    save_file(tensors, f"{HERE}/golden/every_type.safetensors", {"greeting": 'hello "you"\n'})

    header = b'{"__metadata__":null,"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    file = len(header).to_bytes(8, "little") + header + torch.tensor([2.5]).numpy().tobytes()
    assert load(file)["a"].item() == 2.5
    with open(f"{HERE}/golden/null_metadata.safetensors", "wb") as out:
        out.write(file)
