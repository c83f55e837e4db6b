// A mistake: one too many, which no hint knows.
#pragma once

namespace my {

inline int twice(int n) { return 2 * n + 1; }

}  // namespace my
