// What einsum (einsum.h) does with operands of given shapes: its steps, their FLOPs and bytes.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/einops/einsum/warning.h"
#include "common/tensor/dims.h"

namespace napkin {

struct EinsumStep {
  std::string axes;  // "b c, c d -> b d"
  std::string how;   // "sum", "multiplication" or "matmul"
  double flops = 0;

  std::string sentence() const;
};

// What einsum does for operands of these shapes. FLOPs are those of the steps; bytes are what the
// steps read and write, copies of operands aside.
struct EinsumPlan {
  std::vector<EinsumStep> steps;
  double flops = 0;
  std::int64_t bytes = 0;
  std::vector<EinsumWarning> warnings;
};
EinsumPlan explain_einsum(std::span<const Shape> shapes, std::string_view pattern,
                          std::int64_t element_bytes = 4);
inline EinsumPlan explain_einsum(std::initializer_list<Shape> shapes, std::string_view pattern,
                                 std::int64_t element_bytes = 4) {
  return explain_einsum(std::span(shapes.begin(), shapes.size()), pattern, element_bytes);
}

}  // namespace napkin
