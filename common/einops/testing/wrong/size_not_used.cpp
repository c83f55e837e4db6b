// Reason::size_not_used, .*Text<6>{"heads"}>
#include "common/einops/fixed.h"

using namespace napkin;
Tensor heads(const Tensor& x) { return rearrange<"b s (h d) -> b h s d">(x, axis<"heads"> = 8); }
