#include "common/tensor/operations/softmax.h"

#include "common/core/observer.h"
#include "common/tensor/cpu/reduce/rows.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/reduce/rows.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/table.h"

namespace napkin {
namespace {

Tensor along(RowOperation how, Op op, const Tensor& given, int d) {
  const Autocasted operands(op, given);
  const Tensor& x = operands[0];
  check_defined(op, x.dtype(), x.device());
  const int along = wrap_dimension(d, x.rank());
  const Tensor result = empty(x.shape(), {.dtype = x.dtype(), .device = x.device()});
  if (x.device() == Device::cpu && x.numel() > 0) cpu::run_along(how, result, x, along);
  if (x.device() == Device::cuda && x.numel() > 0) cuda::run_along(how, result, x, along);
  // An element: difference, addition, division or difference; powers and logarithms not counted.
  notify(OperationEvent{operation(op).name.data(), x.device(), 3 * static_cast<double>(x.numel()),
                        distinct_bytes(x), result.bytes()});
  return result;
}

}  // namespace

Tensor softmax(const Tensor& x, int d) { return along(RowOperation::softmax, Op::softmax, x, d); }

Tensor log_softmax(const Tensor& x, int d) {
  return along(RowOperation::log_softmax, Op::log_softmax, x, d);
}

}  // namespace napkin
