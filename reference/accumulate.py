"""Sums of one number, each rounded, in numpy 2.4 and ml_dtypes 0.6: where they end, where they stick.

Writes golden/accumulate.safetensors: a column for each of: place of the term's format and of the sum's
in FORMATS, number added, times, sum, and after how many additions it sticks (-1: it still moves).
"""
import itertools, os

import ml_dtypes, numpy as np
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"fp64": np.float64, "fp32": np.float32, "fp16": np.float16, "bf16": ml_dtypes.bfloat16,
         "e4m3fn": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
FORMATS = list(TYPES)


def accumulate(term, total, add, times):
    term, total = TYPES[term], TYPES[total]
    with np.errstate(all="ignore"):
        value, s = np.float64(term(add)), total(0)
        for k in range(times):
            after = total(np.float64(s) + value)
            if after == s or (np.isnan(after) and np.isnan(s)):
                return float(s), k
            s = after
    return float(s), -1


if __name__ == "__main__":
    formats = [(f, f) for f in TYPES] + [("bf16", "fp32"), ("fp16", "fp32"), ("e4m3fn", "bf16"), ("fp32", "e5m2")]
    cases = itertools.product(formats, [0.01, 1.0, -0.3, 2.0 ** -9, 100.0], [0, 1, 100, 3000])
    rows = [[FORMATS.index(a), FORMATS.index(b), add, n, *accumulate(a, b, add, n)] for (a, b), add, n in cases]
    names = ["term", "total", "add", "times", "sum", "sticks_after"]
    save_file({name: np.array(column, dtype=np.float64) for name, column in zip(names, zip(*rows))},
              f"{HERE}/golden/accumulate.safetensors")
