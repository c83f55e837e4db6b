// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/tensor/layout.h"

using namespace napkin;

namespace my {

inline std::int64_t position_in_storage(const Layout&, const Dims&) { return -1; }

}  // namespace my
