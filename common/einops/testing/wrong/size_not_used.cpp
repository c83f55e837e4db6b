// Reason::size_not_used, 'h', 'e', 'a', 'd', 's'>
#include "common/einops/fixed.h"

using namespace napkin;
Tensor heads(const Tensor& x) { return rearrange<"b s (h d) -> b h s d">(x, axis<"heads"> = 8); }
