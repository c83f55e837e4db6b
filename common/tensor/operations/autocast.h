// A scope in which operations on one device's tensors cast their operands (numeric/autocast.h):
//
//   const Autocast scope(Device::cuda, DType::bf16);
//   matmul(x, w);  // in bf16
//   softmax(y, 1); // in fp32; on the CPU in y's dtype
//
// Scopes belong to their thread. The newest one of a device counts, and switches the casts off
// inside it where `enabled` is false. A meta tensor follows the newest scope, whatever its device,
// so that both tables can be tried without data. As in PyTorch, nothing that writes into a given
// tensor is cast (add_, matmul_into). Unlike PyTorch: a cast weight is not kept for its next use,
// and the widest of operands is taken where PyTorch refuses any half type but `low` (addcmul).
#pragma once
#include <array>
#include <concepts>
#include <optional>
#include <span>

#include "common/tensor/operations/table.h"
#include "common/tensor/tensor.h"

namespace napkin {

class Autocast {
 public:
  // Refuses a device without rules, and a `low` other than bf16 and fp16.
  Autocast(Device device, DType low, bool enabled = true);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

  Device device() const { return device_; }
  DType low() const { return low_; }

 private:
  friend const Autocast* autocast_scope(Device);
  Device device_;
  DType low_;
  bool enabled_;
  const Autocast* outer_;
};

// The newest scope of this thread, or null.
extern thread_local constinit const Autocast* newest_autocast;

// The scope that casts tensors on that device now, or null.
const Autocast* autocast_scope(Device device);

// Puts cast operands (null: not a tensor) into `room` and points to them instead.
void autocast(Op op, std::span<const Tensor*> operands, std::span<std::optional<Tensor>> room);

// The operands of an operation, cast where a scope says so; without one that costs a branch.
template <std::size_t count>
class Autocasted {
 public:
  explicit Autocasted(Op op, const std::same_as<Tensor> auto&... operands)
      : operands_{&operands...} {
    if (newest_autocast != nullptr) [[unlikely]]
      autocast(op, operands_, room_);
  }
  Autocasted(const Autocasted&) = delete;
  Autocasted& operator=(const Autocasted&) = delete;
  const Tensor& operator[](std::size_t k) const { return *operands_[k]; }

 private:
  std::array<const Tensor*, count> operands_;
  std::array<std::optional<Tensor>, count> room_;
};
template <class... Tensors>
Autocasted(Op, const Tensors&...) -> Autocasted<sizeof...(Tensors)>;

}  // namespace napkin
