#include "common/autograd/state.h"

#include <utility>

#include "common/tensor/operations/copy.h"

namespace napkin::autograd {
namespace {

// Whether each element has a place of its own and nothing else has one: a gradient to be kept.
bool fills_its_storage(const Tensor& x) {
  return x.bytes() == x.storage_bytes() && distinct_bytes(x) == x.bytes();
}

}  // namespace

void accumulate(State& state, Tensor gradient) {
  if (state.grad.defined()) {
    state.grad.add_(gradient);
    return;
  }
  const bool alone = gradient.storage().use_count() == 1;
  state.grad = alone && fills_its_storage(gradient) ? std::move(gradient) : gradient.clone();
}

}  // namespace napkin::autograd
