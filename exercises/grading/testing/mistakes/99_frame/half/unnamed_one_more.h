// A mistake: one too many, which no hint knows.
#pragma once

namespace my {

inline double half(double x) { return x / 2 + 1; }

}  // namespace my
