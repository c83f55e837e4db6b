#include "demos/03_einops/annotated.h"

#include "common/tensor/operations/matmul.h"

namespace napkin {

Scores scores(const Query& q, const Key& k) {
  Shapes shapes("scores", {{"q", q}, {"k", k}});
  return shapes("the result", matmul(q, k.transpose(-2, -1)));
}

}  // namespace napkin
