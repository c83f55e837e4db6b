// Reason::group_not_allowed, .*Text<4>{"dim"}>
#include "common/einops/annotation.h"

using namespace napkin;
Float<"batch d"> first(const Float<"batch seq (heads dim)">& q) {
  Shapes shapes("first", {{"q", q}, {"heads", 8}});
  const Float<"batch d"> token = shapes("token", q.select(1, 0));
  const Tensor& plain = q;
  return shapes("the result", plain.shares_storage(token) ? plain : q[0]);
}
