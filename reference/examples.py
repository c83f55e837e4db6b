"""What the programs in examples/ print, by PyTorch, NumPy and formats.py, and the files they read.

Writes examples/data/*.npy and examples/expected/*.txt.
"""
import os

import numpy as np
import torch

import formats

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")


def write(name, lines):
    with open(f"{EXAMPLES}/expected/{name}.txt", "w") as file:
        file.writelines(line + "\n" for line in lines)


def attention(heads=2):
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, 4, 16) for _ in range(3))
    q, k, v = (x.view(1, 4, heads, -1).transpose(1, 2) for x in (query, key, value))
    weights = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1)
    output = (weights @ v).transpose(1, 2).reshape(1, 4, 16)
    write("attention", ["weights of the first head, a row for each query:", str(weights[0, 0]),
                        f"output of shape {list(output.shape)}, its first 4 columns:", str(output[0, :, :4])])


def principal_components(x):
    covariance = np.cov(x.astype(np.float64), rowvar=False)
    values = np.linalg.eigvalsh(covariance)[::-1]
    write("principal_components", ["component   eigenvalue   variance along it   share"] +
          [f"{i + 1:>9}{v:>13.4f}{v:>20.4f}{100 * v / values.sum():>6.1f} %" for i, v in enumerate(values[:5])])


def quantize_file(x, name, key, code_bits, tensor_bytes=0):
    element, scale, *_, size = formats.FORMATS[key]
    scales, codes, read, g = formats.quantized(x, *formats.FORMATS[key])
    packed, largest = codes.size * code_bits // 8 + scales.size, float(formats.ml_dtypes.finfo(formats.TYPES[element]).max)
    limit = largest * np.repeat(formats.numbers_of(scale, scales) * g, size, axis=1)[:, :x.shape[1]]
    error = np.abs(read.astype(np.float64) - x)
    relative = np.linalg.norm(error) / np.linalg.norm(x.astype(np.float64))
    worst, zeros, clipped = error.argmax(), ((read == 0) & (x != 0)).sum(), (np.abs(x) > limit).sum()
    write(name, [f"{x.size} values of shape {list(x.shape)} in {name}: {8 * packed / x.size:.2f} bits each, "
                 f"{packed + tensor_bytes} bytes instead of {x.nbytes}",
                 f"relative error {100 * relative:.4f} %, {zeros} became 0, {clipped} clipped",
                 f"worst: value {worst} is {x.flat[worst]:.6g}, read back {read.flat[worst]:.6g}"])


if __name__ == "__main__":
    torch.manual_seed(2)
    turn = torch.linalg.qr(torch.randn(32, 32, dtype=torch.float64))[0]
    x = (torch.randn(64, 32, dtype=torch.float64) * 0.7 ** torch.arange(32) @ turn).numpy().astype(np.float32)
    np.save(f"{EXAMPLES}/data/weights.npy", x)
    np.save(f"{EXAMPLES}/data/line.npy", x[:, 0].copy())
    attention()
    principal_components(x)
    quantize_file(x, "nvfp4", "nvfp4", 4, 4)
    quantize_file(x, "mxfp8", "mxfp8 floor", 8)
