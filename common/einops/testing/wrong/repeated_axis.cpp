// Reason::repeated_axis, .*Text<2>{"h"}>
#include "common/einops/fixed.h"

using namespace napkin;
Tensor diagonal(const Tensor& x) { return reduce<"h h -> h">(x, Reduction::sum); }
