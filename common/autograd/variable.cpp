#include "common/autograd/variable.h"

#include <utility>

#include "common/autograd/state.h"
#include "common/core/error.h"

namespace napkin::autograd {
namespace {

thread_local constinit bool recording = true;

}  // namespace

Variable::Variable(Tensor value, bool requires_grad) : state_(std::make_shared<State>()) {
  state_->value = std::move(value);
  if (requires_grad) set_requires_grad(true);
}

State& Variable::state() const {
  check(defined(), "an undefined Variable was used");
  return *state_;
}

const Tensor& Variable::value() const { return state().value; }
const Tensor& Variable::grad() const { return state().grad; }
bool Variable::requires_grad() const { return state().requires_grad; }
bool Variable::is_leaf() const { return state().node == nullptr; }
void Variable::zero_grad() const { state().grad = {}; }
Variable Variable::detach() const { return Variable(value()); }

void Variable::set_requires_grad(bool requires_grad) const {
  check(is_leaf(), "the result of a function requires a gradient or not by itself; detach() it");
  check(!requires_grad || is_floating(dtype()),
        "only floating-point elements can require a gradient, not {}", name(dtype()));
  state().requires_grad = requires_grad;
}

NoGrad::NoGrad() : before_(std::exchange(recording, false)) {}
NoGrad::~NoGrad() { recording = before_; }
bool grad_enabled() { return recording; }

}  // namespace napkin::autograd
