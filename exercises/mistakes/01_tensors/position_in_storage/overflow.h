// A mistake: counts in 32 bits.
#pragma once
#include "common/tensor/layout.h"

using namespace napkin;

namespace my {

inline std::int64_t position_in_storage(const Layout& layout, const Dims& index) {
  std::uint32_t place = static_cast<std::uint32_t>(layout.offset);
  for (int d = 0; d < layout.rank(); ++d)
    place += static_cast<std::uint32_t>(index[d] * layout.strides[d]);
  return static_cast<std::int32_t>(place);
}

}  // namespace my
