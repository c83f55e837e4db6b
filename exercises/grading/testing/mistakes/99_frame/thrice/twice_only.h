// A mistake: that is twice the number.
#pragma once
#include <cstdint>

namespace my {

inline std::int64_t thrice(std::int64_t n) { return 2 * n; }

}  // namespace my
