// as many arrays as the left side of its pattern has operands
#include "common/einops/fixed.h"

using namespace napkin;
Tensor product(const Tensor& a) { return einsum<"i j, j k -> i k">(a); }
