#include "common/autograd/saved.h"

#include <utility>

#include "common/core/observer.h"

namespace napkin::autograd {
namespace {

thread_local constinit const SavedTensorHook* newest_hook = nullptr;

void tell(const Tensor& x, int sign) {
  if (!anyone_listens()) [[likely]]
    return;
  const Storage& storage = *x.storage();
  notify_all(SavedEvent{&storage, storage.device(), storage.category(), sign * storage.bytes()});
}

}  // namespace

SavedTensorHook::SavedTensorHook(Pack pack) : pack_(std::move(pack)), outer_(newest_hook) {
  newest_hook = this;
}

SavedTensorHook::~SavedTensorHook() { newest_hook = outer_; }

Saved::Saved(const Tensor& x) {
  if (newest_hook != nullptr) [[unlikely]] {
    unpack_ = newest_hook->pack_(x);
    return;
  }
  x_ = x;
  version_ = x.storage()->version();
  tell(x_, +1);
}

Saved::Saved(Saved&& other) noexcept
    : x_(std::exchange(other.x_, {})),
      unpack_(std::move(other.unpack_)),
      version_(other.version_) {}

Saved::~Saved() {
  if (x_.defined()) tell(x_, -1);
}

Tensor Saved::operator()() const {
  if (unpack_) return unpack_();
  check(x_.storage()->version() == version_,
        "a tensor of shape {} was saved for the backward pass and has been written in place since "
        "({} times): its old elements are gone",
        to_string(x_.shape()), x_.storage()->version() - version_);
  return x_;
}

}  // namespace napkin::autograd
