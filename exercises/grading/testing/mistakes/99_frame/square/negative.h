// A mistake: the square of a negative number is positive.
#pragma once

namespace my {

inline int square(int n) { return n < 0 ? -n * n : n * n; }

}  // namespace my
