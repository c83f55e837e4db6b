// einsum of tensors: what it takes, and how it goes about Autocast scopes.
#include "common/einops/einsum.h"

#include "common/einops/einsum/contract.h"
#include "common/numeric/autocast.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"

namespace napkin {
namespace {

using einops::CachedEinsum, einops::Operands, einops::SumOfProducts;

// Refuses operands on several devices, of several dtypes (fp32, bf16 and fp16 go together in an
// Autocast scope), or of a dtype that matmul, or sum for one operand alone, does not take.
void check_operands(std::string_view pattern, const SumOfProducts& plan,
                    const Operands<Tensor>& operands) {
  const DType dtype = operands[0].dtype();
  const Device device = operands[0].device();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    check(operands[i].device() == device,
          "einsum \"{}\": operand 1 is on {}, operand {} on {}; all must be on one device", pattern,
          name(device), i + 1, name(operands[i].device()));
    const DType other = operands[i].dtype();
    if (other == dtype) [[likely]]
      continue;
    check(autocast_scope(device) != nullptr && is_autocast(dtype) && is_autocast(other),
          "einsum \"{}\": operand 1 is {}, operand {} is {}; convert one of them", pattern,
          name(dtype), i + 1, name(other));
  }
  if (plan.steps.empty() && plan.summed[0].empty()) return;  // a view
  const Op op = plan.steps.empty() ? Op::sum : Op::matmul;
  if (is_defined(op, dtype, device)) [[likely]]
    return;
  try {
    check_defined(op, dtype, device);
  } catch (const Error& e) {
    fail("einsum \"{}\": {}", pattern, e.what());
  }
}

// In a scope of CUDA all operands are cast and nothing inside; in one of the CPU matrix products
// are, and sums and multiplications of elements are not.
Tensor run_in_autocast(SumOfProducts& plan, const Operands<Tensor>& operands) {
  const Autocast* scope = autocast_scope(operands[0].device());
  if (scope == nullptr || scope->device() == Device::cpu) return run_einsum(plan, operands);
  std::vector<Tensor> cast;
  for (std::size_t i = 0; i < operands.size(); ++i)
    cast.push_back(is_autocast(operands[i].dtype()) ? operands[i].to(scope->low()) : operands[i]);
  Operands<Tensor> all("", cast.size());
  for (const Tensor& x : cast) all.add(x);
  const Autocast off(scope->device(), scope->low(), false);
  return run_einsum(plan, all);
}

Tensor run(std::string_view pattern, const Operands<Tensor>& operands) {
  const CachedEinsum plan(pattern, operands.shapes());
  check_operands(pattern, *plan, operands);
  try {
    if (newest_autocast != nullptr) [[unlikely]]
      return run_in_autocast(*plan, operands);
    return run_einsum(*plan, operands);
  } catch (const Error& e) {
    fail("einsum {:?}: {}", pattern, e.what());
  }
}

}  // namespace

Tensor einsum(std::initializer_list<EinsumOperand> operands, std::string_view pattern) {
  Operands<Tensor> all(pattern, operands.size());
  for (const EinsumOperand& operand : operands) all.add(*operand.tensor);
  return run(pattern, all);
}

Tensor einsum(std::span<const Tensor> operands, std::string_view pattern) {
  Operands<Tensor> all(pattern, operands.size());
  for (const Tensor& operand : operands) all.add(operand);
  return run(pattern, all);
}

}  // namespace napkin
