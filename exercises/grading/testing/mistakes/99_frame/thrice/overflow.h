// A mistake: the product went past 2^31; keep it in std::int64_t.
#pragma once
#include <cstdint>

namespace my {

inline std::int64_t thrice(std::int64_t n) { return static_cast<std::int32_t>(3 * n); }

}  // namespace my
