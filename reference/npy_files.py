"""Files that numpy.save writes, as bytes: types, byte orders, versions, shapes (numpy 2.4).

And headers that others write, as numpy reads or refuses them: Python 2's long integers, Fortran order
where it is no different, a shape that is no tuple.

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


def with_header(order, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': {order}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    file = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    return np.frombuffer(file + np.asarray(values, "<f4").tobytes(), dtype=np.uint8)


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
    for order, shape in [(False, "(3L, 4L)"), (False, "(12L,)"), (True, "(12,)"), (True, "(1, 12, 1)"), (True, "(12, )")]:
        tensors[f"file.{n}"] = with_header(order, shape, np.arange(12))
        array = npy.read_array(io.BytesIO(tensors[f"file.{n}"].tobytes()))
        tensors[f"values.{n}"] = array.astype("<f8").reshape(-1)
        tensors[f"shape.{n}"] = np.array(array.shape, dtype="<i8")
        n += 1
    for shape in ["(12)", "(L,)", "(12l,)"]:
        tensors[f"refused.{shape}"] = with_header(False, shape, np.arange(12))
        try:
            npy.read_array(io.BytesIO(tensors[f"refused.{shape}"].tobytes()))
            raise SystemExit(f"numpy reads {shape}")
        except ValueError as refused:
            print(shape, refused)
    tensors["refused.Fortran order"] = written(np.asfortranarray(np.ones((2, 3), "<f4")))
    tensors["refused.<i8"] = written(np.arange(3))
    tensors["refused.<c8"] = written(np.ones(3, "<c8"))
    tensors["refused.|b1"] = written(np.ones(3, bool))
    tensors["refused.records"] = written(np.zeros(2, [("a", "<f4"), ("b", "<i4")]))
    save_file(tensors, f"{HERE}/golden/npy.safetensors")
