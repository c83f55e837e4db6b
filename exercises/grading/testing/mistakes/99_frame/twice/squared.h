// A mistake: that is the number times itself.
#pragma once

namespace my {

inline int twice(int n) { return n * n; }

}  // namespace my
