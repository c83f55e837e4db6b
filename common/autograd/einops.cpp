#include "common/autograd/einops.h"

#include "common/autograd/elementwise.h"
#include "common/autograd/matmul.h"
#include "common/autograd/reduce.h"
#include "common/einops/einsum/contract.h"

namespace napkin::autograd {
namespace {

using einops::CachedEinsum, einops::Form, einops::Operands;

Variable transform(const Variable& x, std::string_view pattern, Form form, AxisSizes sizes,
                   Reduction how = Reduction::sum) {
  const einops::Recipe& recipe = einops::cached_recipe(pattern, form, x.shape(), sizes);
  try {
    return einops::apply(recipe, x, how);
  } catch (const Error& e) {  // of a reduction: mean of integers, max of nothing
    fail("{}", einops::error_text(pattern, form, x.shape(), sizes, e.what()));
  }
}

}  // namespace

Variable rearrange(const Variable& x, std::string_view pattern, AxisSizes sizes) {
  return transform(x, pattern, Form::rearrange, sizes);
}

Variable reduce(const Variable& x, std::string_view pattern, Reduction how, AxisSizes sizes) {
  return transform(x, pattern, Form::reduce, sizes, how);
}

Variable repeat(const Variable& x, std::string_view pattern, AxisSizes sizes) {
  return transform(x, pattern, Form::repeat, sizes);
}

Variable einsum(std::initializer_list<Variable> operands, std::string_view pattern) {
  Operands<Variable> all(pattern, operands.size());
  for (const Variable& operand : operands) all.add(operand);
  const CachedEinsum plan(pattern, all.shapes());
  try {
    return einops::run_einsum(*plan, all);
  } catch (const Error& e) {
    fail("einsum {:?}: {}", pattern, e.what());
  }
}

}  // namespace napkin::autograd
