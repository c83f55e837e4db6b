#include "common/einops/einsum.h"

#include "common/einops/fast/contract.h"
#include "common/tensor/elementwise.h"
#include "common/tensor/matmul.h"
#include "common/tensor/reduce.h"

namespace napkin {

Tensor einsum(std::string_view pattern, std::span<const Tensor> operands) {
  std::vector<Shape> shapes;
  for (const Tensor& x : operands) shapes.push_back(x.shape());
  return einops::run_einsum(einops::cached_einsum(pattern, shapes), operands);
}

}  // namespace napkin
