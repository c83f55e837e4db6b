// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline bool is_contiguous(const Shape&, const Strides&) { return false; }

}  // namespace my
