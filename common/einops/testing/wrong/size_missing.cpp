// Reason::size_missing, 'g'>
#include "common/einops/fixed.h"

using namespace napkin;
Tensor groups(const Tensor& k) { return repeat<"b kv s d -> b (kv g) s d">(k); }
