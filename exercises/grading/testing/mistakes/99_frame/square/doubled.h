// A mistake: that is twice the number.
#pragma once

namespace my {

inline int square(int n) { return 2 * n; }

}  // namespace my
