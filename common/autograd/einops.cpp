#include "common/autograd/einops.h"

#include "common/autograd/elementwise.h"
#include "common/autograd/matmul.h"
#include "common/autograd/reduce.h"
#include "common/einops/einsum/contract.h"

namespace napkin::autograd {

using einops::CachedEinsum, einops::Form, einops::Operands, einops::transform;

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
