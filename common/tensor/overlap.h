// Whether the elements of a layout share places in memory.
#pragma once
#include "common/tensor/layout.h"

namespace napkin {

// Whether two indices stand for one place (an expanded dimension, windows that overlap): such a
// view is not written. Exact, but for layouts of many interleaved dimensions, where finding out
// would take too long: they count as overlapping.
bool may_overlap(const Layout& layout);

}  // namespace napkin
