// A mistake: one too many, which no hint knows.
#pragma once
#include <cstdint>

namespace my {

inline std::int64_t thrice(std::int64_t n) { return 3 * n + 1; }

}  // namespace my
