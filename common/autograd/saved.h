// What a function keeps for its gradient: a tensor, guarded against being written in the meantime.
#pragma once
#include <cstdint>
#include <functional>

#include "common/autograd/variable.h"
#include "common/tensor/tensor.h"

namespace napkin::autograd {

// Keeps a tensor in some way; what it returns is called when the gradient is worked out, and gives
// it back (offloaded, compressed, computed again).
using Pack = std::function<std::function<Tensor()>(const Tensor&)>;

// In its scope, on this thread, what functions save goes through `pack`; the innermost one counts.
class SavedTensorHook {
 public:
  explicit SavedTensorHook(Pack pack);
  ~SavedTensorHook();
  SavedTensorHook(const SavedTensorHook&) = delete;
  SavedTensorHook& operator=(const SavedTensorHook&) = delete;

 private:
  friend class Saved;
  Pack pack_;
  const SavedTensorHook* outer_;
};

// Observers hear of it when it is saved and when it is let go.
class Saved {
 public:
  Saved() = default;
  explicit Saved(const Tensor& x);
  Saved(Saved&& other) noexcept;
  Saved& operator=(Saved&&) = delete;
  ~Saved();

  // Refused where the elements have been written since.
  Tensor operator()() const;

 private:
  Tensor x_;  // undefined where `unpack_` gives it
  std::function<Tensor()> unpack_;
  std::uint64_t version_ = 0;
};

// What is saved for the gradient of `whom`: nothing where nobody asked for that.
inline Saved save(const Tensor& x, const Variable& whom) {
  return needs_grad(whom) ? Saved(x) : Saved();
}
inline Saved save(const Variable& x, const Variable& whom) { return save(x.value(), whom); }

}  // namespace napkin::autograd
