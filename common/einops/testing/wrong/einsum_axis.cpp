// Reason::axis_only_right, .*Text<2>{"k"}>
#include "common/einops/fixed.h"

using namespace napkin;
Tensor product(const Tensor& a, const Tensor& b) { return einsum<"i, j -> i k">(a, b); }
