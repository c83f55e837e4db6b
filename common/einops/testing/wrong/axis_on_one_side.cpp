// Reason::axis_only_left, .*Text<4>{"dim"}>
#include "common/einops/fixed.h"

using namespace napkin;
Tensor heads(const Tensor& x) { return rearrange<"b s (h dim) -> b h s d">(x, axis<"h"> = 8); }
