#pragma once

namespace my {

inline int twice(int n) { return 2 * n; }

}  // namespace my
