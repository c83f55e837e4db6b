// .npy files: one array as numpy.save writes it.
//
//   6 bytes   \x93NUMPY, then the version: 1.0, 2.0 or 3.0 (a byte each)
//   length    of the header, little endian: 2 bytes in version 1.0, else 4
//   header    {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } and spaces
//   data      the elements, the last index first
//
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Read are float16, float32
// and float64 of either byte order, in C order. What a file declares is compared with its length
// before memory is taken for it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/numeric/dtype.h"

namespace napkin::io {

struct NpyArray {
  DType dtype = DType::fp32;  // of the file: fp16, fp32 or fp64
  std::vector<std::int64_t> shape;
  std::vector<double> values;  // exact for all three
};

// The array in the bytes of a file. Refuses, with the reason: another magic or version, a header
// longer than the file or of another form, other types, Fortran order, bytes missing or left over.
NpyArray parse_npy(std::span<const std::byte> file);

// The same for a file; its name stands before the sentence of a refusal.
NpyArray load_npy(const std::string& path);

}  // namespace napkin::io
