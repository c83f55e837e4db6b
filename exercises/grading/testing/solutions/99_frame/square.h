#pragma once

namespace my {

inline int square(int n) { return n * n; }

}  // namespace my
