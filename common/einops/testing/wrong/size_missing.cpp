// Reason::size_missing, .*Text<2>{"g"}>
#include "common/einops/fixed.h"

using namespace napkin;
Tensor groups(const Tensor& k) { return repeat<"b kv s d -> b (kv g) s d">(k); }
