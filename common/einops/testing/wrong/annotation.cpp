// Reason::group_not_allowed, 'd', 'i', 'm'>
#include "common/einops/annotation.h"

using namespace napkin;
void attention(const Float<"batch seq (heads dim)">& q) { Shapes shapes("f", {{"q", q}}); }
