// A search through keys (numeric/order_key.h), compiled for several instruction sets.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"

namespace napkin::cpu {

// The first i in [first, count) with (key of x[i]) ^ flip > threshold; count where there is none.
// Keys have as many bits as the elements; flip is all zeros or all ones.
using FirstAbove = std::int64_t (*)(const void* x, std::int64_t first, std::int64_t count,
                                    std::uint64_t flip, std::uint64_t threshold);
FirstAbove first_above_loop(DType dtype);

}  // namespace napkin::cpu
