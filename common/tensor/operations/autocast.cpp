#include "common/tensor/operations/autocast.h"

#include "common/numeric/autocast.h"

namespace napkin {

thread_local constinit const Autocast* newest_autocast = nullptr;

Autocast::Autocast(Device device, DType low, bool enabled)
    : device_(device), low_(low), enabled_(enabled), outer_(newest_autocast) {
  check(device != Device::meta, "autocast on meta: the rules are those of cpu or cuda");
  check(low == DType::bf16 || low == DType::fp16, "autocast to {}: bf16 and fp16 are allowed",
        name(low));
  newest_autocast = this;
}

Autocast::~Autocast() { newest_autocast = outer_; }

const Autocast* autocast_scope(Device device) {
  const Autocast* scope = newest_autocast;
  while (scope != nullptr && device != Device::meta && device != scope->device_)
    scope = scope->outer_;
  return scope != nullptr && scope->enabled_ ? scope : nullptr;
}

void autocast(Op op, std::span<const Tensor*> operands, std::span<std::optional<Tensor>> room) {
  const Tensor* decides = nullptr;  // the first tensor, or one on the GPU (operands.h)
  for (const Tensor* x : operands)
    if (x != nullptr && (decides == nullptr || x->device() == Device::cuda)) decides = x;
  const Device device = decides->device();
  const Autocast* scope = autocast_scope(device);
  if (scope == nullptr) return;
  const Cast rule = autocast_rule(name(op), scope->device());
  if (rule == Cast::none) return;
  const auto takes_part = [device](const Tensor* x) {
    return x != nullptr && x->device() == device && is_autocast(x->dtype());
  };
  std::optional<DType> widest;
  for (const Tensor* x : operands)
    if (takes_part(x)) widest = widest ? promote(*widest, x->dtype()) : x->dtype();
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (takes_part(operands[k])) {
      room[k] = operands[k]->to(autocast_dtype(rule, scope->low(), operands[k]->dtype(), *widest));
      operands[k] = &*room[k];
    }
}

}  // namespace napkin
