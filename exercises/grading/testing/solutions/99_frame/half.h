#pragma once

namespace my {

inline double half(double x) { return x / 2; }

}  // namespace my
