// Named axes of Variables: as of tensors (einops/), with gradients. The same parser, recipes and
// plans.
#pragma once
#include <initializer_list>
#include <string_view>

#include "common/autograd/variable.h"
#include "common/einops/einops.h"

namespace napkin::autograd {

Variable rearrange(const Variable& x, std::string_view pattern, AxisSizes sizes = {});
Variable reduce(const Variable& x, std::string_view pattern, Reduction how, AxisSizes sizes = {});
Variable repeat(const Variable& x, std::string_view pattern, AxisSizes sizes = {});

Variable einsum(std::initializer_list<Variable> operands, std::string_view pattern);
inline Variable einsum(const Variable& x, const Variable& y, std::string_view pattern) {
  return einsum({x, y}, pattern);
}

}  // namespace napkin::autograd
