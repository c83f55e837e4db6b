// A mistake: that is twice the number.
#pragma once

namespace my {

inline double half(double x) { return 2 * x; }

}  // namespace my
