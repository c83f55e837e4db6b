// Shapes checks annotated tensors
#include "common/einops/annotation.h"

using namespace napkin;
void attention(const Tensor& q) { Shapes shapes("f", {{"q", q}}); }
