// Attention scores with their shapes in the signature (lecture 4.3).
#pragma once
#include <fmt/format.h>

#include <string>

#include "common/einops/annotation.h"

namespace napkin {

using Query = Float<"batch heads query d">;
using Key = Float<"batch heads key d">;
using Scores = Float<"batch heads query key">;

// q k^T. Refuses, where shapes are checked, q and k whose axes do not agree.
Scores scores(const Query& q, const Key& k);

// Float<"batch heads key d">
template <DTypeKind kind, Text axes>
std::string annotation_text(const Annotated<kind, axes>&) {
  return fmt::format("Float<\"{}\">", axes.view());
}

}  // namespace napkin
