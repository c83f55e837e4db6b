// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/numeric/small_float.h"

using namespace napkin;

namespace my {

inline float in_bf16(float x) { return static_cast<float>(BFloat16(x)); }

inline float bf16_add(float a, float b) { return 2 * in_bf16(in_bf16(a) + in_bf16(b)); }

}  // namespace my
