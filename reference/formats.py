"""Number formats and block scaling, by ml_dtypes 0.6, NumPy 2.4 and PyTorch 2.15.

Writes golden/number_formats.safetensors:
  input              FP32 numbers: every number of the 4-, 6- and 8-bit formats, every middle between
                     two of them and the floats beside it, both signs; the edges of FP32; random bits
  ml_dtypes.NAME     their codes: what is past the largest number becomes infinity or NaN
  torch.NAME         their codes by PyTorch, which saturates e4m3fn
  info.NAME          finfo: bits, max, tiny, smallest_subnormal, eps
  spacing.NAME, up.NAME, down.NAME   of every fp16 and bf16 number in steps of 7 codes, up to infinity
and golden/blocks.safetensors: a matrix of 5 x 75 and, for each block format, its scale codes, its
element codes one by one, and what is read back, worked out in NumPy's FP32 with ml_dtypes' casts by
the definitions of common/numeric/blocks.h, with log2 by frexp.
"""
import os

import ml_dtypes
import numpy as np
import torch
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
F = np.float32
TYPES = {"e4m3fn": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2, "e2m1": ml_dtypes.float4_e2m1fn,
         "e8m0": ml_dtypes.float8_e8m0fnu, "e2m3": ml_dtypes.float6_e2m3fn, "e3m2": ml_dtypes.float6_e3m2fn,
         "bf16": ml_dtypes.bfloat16, "fp16": np.float16}
BITS = {"e2m1": 4, "e2m3": 6, "e3m2": 6}
TORCH = {"e4m3fn": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "e8m0": torch.float8_e8m0fnu,
         "bf16": torch.bfloat16, "fp16": torch.float16}


def codes_of(x, name):
    y = x.astype(TYPES[name])
    return y.view(np.uint16 if y.dtype.itemsize == 2 else np.uint8)


def numbers_of(name, codes):
    return codes.astype(np.uint16 if name in ("bf16", "fp16") else np.uint8).view(TYPES[name]).astype(F)


def telling_inputs():
    parts = []
    for name in ("e4m3fn", "e5m2", "e2m1", "e8m0", "e2m3", "e3m2"):
        x = numbers_of(name, np.arange(2 ** BITS.get(name, 8)))
        x = np.unique(np.abs(x[np.isfinite(x)]).astype(np.float64))
        x = np.append(x, 2 * x[-1] - x[-2] if name != "e8m0" else 2.0**128)
        middles = ((x[1:] + x[:-1]) / 2).astype(F)
        parts += [x[:-1].astype(F), middles, np.nextafter(middles, F(0)), np.nextafter(middles, F(np.inf))]
    bits = np.random.default_rng(8).integers(0, 2**32, 1000, dtype=np.uint64).astype(np.uint32)
    edges = np.array([0x7F7FFFFF, 0x7F800000, 1, 0x7FFFFF, 0x800000, 0x33000000, 0x33000001, 0x477FEFFF, 0x477FF000,
                      0x477FF001], np.uint32)
    x = np.unique(np.concatenate(parts + [edges.view(F), np.abs(bits.view(F))]))
    x = x[~np.isnan(x)]
    return np.concatenate([x, -x])


def scalars():
    t = {"input": telling_inputs()}
    for name in TYPES:
        t[f"ml_dtypes.{name}"] = codes_of(t["input"], name)
        find = np.finfo if name == "fp16" else ml_dtypes.finfo
        info = find(TYPES[name])
        t[f"info.{name}"] = np.array([info.bits, info.max, info.tiny, info.smallest_subnormal, info.eps], np.float64)
    for name, dtype in TORCH.items():
        y = torch.from_numpy(t["input"]).to(dtype)
        t[f"torch.{name}"] = y.view(torch.uint8 if y.element_size() == 1 else torch.uint16).numpy()
    for name in ("fp16", "bf16"):
        x = np.arange(0, 0x7C00 if name == "fp16" else 0x7F80, 7, dtype=np.uint16).view(TYPES[name])
        t[f"spacing.{name}"] = np.spacing(x).astype(F)
        t[f"up.{name}"] = np.nextafter(x, np.array(np.inf, x.dtype)).astype(F)
        t[f"down.{name}"] = np.nextafter(x, np.array(-np.inf, x.dtype)).astype(F)
    save_file(t, f"{HERE}/golden/number_formats.safetensors")


def matrix():
    """Rows: ordinary values with outliers; a row of zeros in part; tiny; huge; ties after scaling."""
    rng = np.random.default_rng(4)
    x = rng.standard_normal((5, 75)).astype(F)
    x[0, ::17] *= 120
    x[1, 16:64] = 0
    x[2] *= F(1e-38)
    x[2, 40:] *= F(1e-5)
    x[3] *= F(1e36)
    x[4] = rng.integers(-24, 25, 75).astype(F) / 4
    x[4, ::13] = 6
    return x


def exponent(x):
    return np.frexp(x.astype(np.float64))[1] - 1  # floor(log2 x)


def mx_scales(amax, largest, rule):
    with np.errstate(all="ignore"):
        ratio = amax.astype(np.float64) / largest
        low = np.where(amax > 0, exponent(ratio), -300)
        if rule == "floor":
            e = np.where(amax > 0, exponent(amax) - exponent(np.array(largest)), -300)
        elif rule == "up":
            e = low + (ratio > np.ldexp(1.0, low))
        else:
            e = low + (ratio >= 1.5 * np.ldexp(1.0, low))
    codes = np.clip(e + 127, 0, 254).astype(np.uint8)
    return codes, np.ldexp(1.0, codes.astype(int) - 127)


def fp32_scales(amax, largest):
    s = (amax / F(largest)).astype(F)
    return np.where(amax == 0, F(1), np.maximum(s, np.uint32(1).view(F))).astype(F)


def quantized(x, element, scale, rule=None, tensor_scale=False, size=None):
    """Scale codes (rows x blocks), element codes, numbers read back, tensor scale."""
    rows, columns = x.shape
    largest = float(ml_dtypes.finfo(TYPES[element]).max)
    width = -(-columns // size)
    amax = np.array([[np.abs(x[r, b * size:(b + 1) * size]).max() for b in range(width)] for r in range(rows)], F)
    g = fp32_scales(np.abs(x).max(), largest * 448)[()] if tensor_scale else F(1)
    if scale == "e8m0":
        codes, s = mx_scales(amax, largest, rule)
    elif scale == "e4m3fn":
        codes = codes_of(np.minimum(amax / F(largest) / g, F(448)), "e4m3fn")
        s = (numbers_of("e4m3fn", codes) * g).astype(F)
    else:
        s = fp32_scales(amax, largest)
        codes = s.view(np.uint32)
    each = np.repeat(s.astype(np.float64), size, axis=1)[:, :columns]
    with np.errstate(all="ignore"):
        # 1 / scale and the product as FP32 rounds them, but with FP64's range: no scale is so small
        # that its inverse would not do. The product of two numbers of 24 bits is exact in FP64, and
        # a quotient's second rounding changes nothing (53 >= 2 x 24 + 2).
        inverse = np.where(each == 0, 0, round24(1 / each))
        y = round24(x.astype(np.float64) * inverse)
    limit = np.clip(y, -largest, largest).astype(F)
    element_codes = codes_of(limit, element)
    read = (numbers_of(element, element_codes) * each.astype(F)).astype(F)
    return codes, element_codes, read, np.array([g], F)


def round24(x):
    """To FP32's 24 significant bits, ties to even."""
    mantissa, e = np.frexp(np.where(np.isfinite(x), x, 0))
    return np.ldexp(np.rint(np.ldexp(mantissa, 24)), e - 24)


FORMATS = {
    "mxfp8 floor": ("e4m3fn", "e8m0", "floor", False, 32),
    "mxfp8 up": ("e4m3fn", "e8m0", "up", False, 32),
    "mxfp8 nearest": ("e4m3fn", "e8m0", "nearest", False, 32),
    "mxfp8_e5m2 floor": ("e5m2", "e8m0", "floor", False, 32),
    "mxfp8_e5m2 up": ("e5m2", "e8m0", "up", False, 32),
    "mxfp8_e5m2 nearest": ("e5m2", "e8m0", "nearest", False, 32),
    "mxfp4 floor": ("e2m1", "e8m0", "floor", False, 32),
    "mxfp4 up": ("e2m1", "e8m0", "up", False, 32),
    "mxfp4 nearest": ("e2m1", "e8m0", "nearest", False, 32),
    "nvfp4": ("e2m1", "e4m3fn", None, True, 16),
    "e2m1 e4m3fn": ("e2m1", "e4m3fn", None, False, 16),
    "e4m3fn block": ("e4m3fn", "fp32", None, False, 16),
    "e4m3fn row": ("e4m3fn", "fp32", None, False, 75),
    "e5m2 row": ("e5m2", "fp32", None, False, 75),
    "e2m1 block": ("e2m1", "fp32", None, False, 16),
}


def blocks():
    x = matrix()
    t = {"input": x}
    inputs = {"": x, " tiny": x[2:3] * F(1e-2), " one": x[4:5, :1], " plain": x[[0, 1, 4]]}
    for which, values in inputs.items():
        t[f"input{which}"] = values
        for name, arguments in FORMATS.items():
            scales, codes, read, g = quantized(values, *arguments)
            for part, array in (("scales", scales), ("codes", codes), ("read", read), ("tensor", g)):
                t[f"{name}{which}.{part}"] = array
    flat = x.reshape(1, -1)
    for element in ("e4m3fn", "e2m1"):
        for part, array in zip(("scales", "codes", "read", "tensor"), quantized(flat, element, "fp32", size=375)):
            t[f"{element} tensor.{part}"] = array
    save_file(t, f"{HERE}/golden/blocks.safetensors")


if __name__ == "__main__":
    scalars()
    blocks()
