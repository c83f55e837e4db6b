#include "common/tensor/operations/cumsum.h"

#include "common/core/observer.h"
#include "common/tensor/cpu/reduce/rows.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/reduce/rows.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/table.h"

namespace napkin {

Tensor cumsum(const Tensor& given, int d) {
  const Autocasted operands(Op::cumsum, given);
  const Tensor& x = operands[0];
  check_defined(Op::cumsum, x.dtype(), x.device());
  const int along = wrap_dimension(d, x.rank());
  const DType dtype = is_floating(x.dtype()) ? x.dtype() : DType::int64;
  const Tensor result = empty(x.shape(), {.dtype = dtype, .device = x.device()});
  if (x.device() == Device::cpu && x.numel() > 0)
    cpu::run_along(RowOperation::cumsum, result, x, along);
  if (x.device() == Device::cuda && x.numel() > 0)
    cuda::run_along(RowOperation::cumsum, result, x, along);
  const std::int64_t lines =
      x.numel() == 0 || x.rank() == 0 ? x.numel() : x.numel() / x.size(along);
  notify(OperationEvent{"cumsum", x.device(), static_cast<double>(x.numel() - lines),
                        distinct_bytes(x), result.bytes()});
  return result;
}

}  // namespace napkin
