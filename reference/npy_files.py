"""Files that numpy.save writes, as bytes: types, byte orders, versions, shapes (numpy 2.4).

Writes golden/npy.safetensors: file.N as uint8 beside values.N as fp64 and shape.N, and refused.WHY.
"""
import io, itertools, os

import numpy as np
from numpy.lib import format as npy
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
SPECIAL = [0.0, -0.0, 1.0, -1.5, 6.103515625e-05, 5.960464477539063e-08, 65504.0, np.inf, -np.inf, 0.1]


def written(array, version=(1, 0)):
    file = io.BytesIO()
    npy.write_array(file, array, version=version)
    return np.frombuffer(file.getvalue(), dtype=np.uint8)


if __name__ == "__main__":
    arrays = [np.array(SPECIAL, dtype=order + kind) for kind in ("f2", "f4", "f8") for order in "<>"]
    arrays += [np.arange(24, dtype="<f4").reshape(2, 3, 4), np.zeros((3, 0, 2), "<f8"), np.array(2.5, "<f4"),
               np.arange(12, dtype=">f2").reshape(3, 4)[:, 1:3]]
    tensors, n = {}, 0
    for array, version in itertools.product(arrays, [(1, 0), (2, 0), (3, 0)]):
        tensors[f"file.{n}"] = written(array, version)
        tensors[f"values.{n}"] = array.astype("<f8").reshape(-1)
        tensors[f"shape.{n}"] = np.array(array.shape, dtype="<i8")
        n += 1
    tensors["refused.Fortran order"] = written(np.asfortranarray(np.ones((2, 3), "<f4")))
    tensors["refused.<i8"] = written(np.arange(3))
    tensors["refused.<c8"] = written(np.ones(3, "<c8"))
    tensors["refused.|b1"] = written(np.ones(3, bool))
    tensors["refused.records"] = written(np.zeros(2, [("a", "<f4"), ("b", "<i4")]))
    save_file(tensors, f"{HERE}/golden/npy.safetensors")
