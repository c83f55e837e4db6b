// A mistake: one too many, which no hint knows.
#pragma once

namespace my {

inline int square(int n) { return n * n + 1; }

}  // namespace my
