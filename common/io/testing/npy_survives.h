// For tests and fuzzing: what must hold for any bytes whatever given to the reader of .npy files.
#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>

#include "common/io/npy.h"

namespace napkin::io {

// Either the bytes are refused, or they give as many elements as the shape says. True if they were
// read.
inline bool npy_survives(std::span<const std::byte> file) {
  NpyArray array;
  try {
    array = parse_npy(file);
  } catch (const Error&) {
    return false;
  }
  std::size_t count = 1;
  for (const std::int64_t n : array.shape) count *= static_cast<std::size_t>(n);
  if (count != array.values.size()) throw std::logic_error("another number of elements");
  if (count * static_cast<std::size_t>(size_of(array.dtype)) > file.size())
    throw std::logic_error("more elements than bytes");
  return true;
}

}  // namespace napkin::io
