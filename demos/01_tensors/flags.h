// Tensors from flags, and lists for --json.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin {

using Numbers = std::vector<std::int64_t>;

// A tensor without data (device meta), so that any size will do. A refusal names the flag.
Tensor on_meta(std::string_view shape_flag, const Numbers& shape, std::string_view dtype_flag,
               const std::string& dtype);

// x.transpose(dimensions[0], dimensions[1]); a refusal names the flag.
Tensor transposed(const Tensor& x, std::string_view flag, const Numbers& dimensions);

// The storage position of an element (lecture 2.3); a refusal names the flag.
std::int64_t position_of(const Tensor& x, std::string_view flag, const Numbers& index);

inline Numbers listed(const Dims& dims) { return {dims.begin(), dims.end()}; }

}  // namespace napkin
