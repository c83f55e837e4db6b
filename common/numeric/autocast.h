// Autocast: in which dtype an operator runs where a program asks for bf16 or fp16. What gains from
// tensor cores is lowered, what sums many terms or leaves the range is raised, the rest keeps what
// it is given. The rules are PyTorch's (2.15; ATen/autocast_mode.h), and they depend on the device:
// the CPU leaves softmax, sums and norms in bf16, CUDA raises them to fp32.
//
// Only fp32, bf16 and fp16 are ever cast; fp64, integers and bool are left alone. An operator
// without a rule (mean, relu, add ...) runs in its operands' dtype. cross_entropy has the dtype of
// its result; on the CPU the log_softmax inside stays low. Up to 2.11, rms_norm had no rule on
// CUDA.
#pragma once
#include <string_view>

#include "common/core/device.h"
#include "common/numeric/dtype.h"

namespace napkin {

// What becomes of an operator's operands.
enum class Cast : std::uint8_t {
  none,    // they stay what they are
  lower,   // bf16 or fp16, whichever was asked for
  fp32,    // fp32
  widest,  // the widest dtype among them
};

// The rule of that operator, by PyTorch's name ("matmul", "layer_norm"), on cpu or cuda.
Cast autocast_rule(std::string_view operation, Device device);

// Whether autocast casts such operands at all.
constexpr bool is_autocast(DType d) {
  return d == DType::fp32 || d == DType::bf16 || d == DType::fp16;
}

// What an operand becomes, where `low` was asked for and the widest of all operands is `widest`.
constexpr DType autocast_dtype(Cast rule, DType low, DType operand, DType widest) {
  if (!is_autocast(operand) || rule == Cast::none) return operand;
  return rule == Cast::lower ? low : rule == Cast::fp32 ? DType::fp32 : widest;
}

// The dtype in which an operator with operands of one dtype runs.
inline DType autocast_dtype(std::string_view operation, Device device, DType low, DType operand) {
  return autocast_dtype(autocast_rule(operation, device), low, operand, operand);
}

}  // namespace napkin
