#include "common/tensor/reduce.h"

#include <algorithm>
#include <cstring>

#include "common/core/observer.h"
#include "common/tensor/copy.h"
#include "common/tensor/create.h"
#include "common/tensor/fast/reduce_cpu.h"
#include "common/tensor/order.h"

namespace napkin {
Tensor sum(const Tensor& x) { return sum(x, {}); }

Tensor sum(const Tensor& x, const Dims& over, bool keep) {
  Dims is_reduced(std::max(x.rank(), 1), over.empty() ? 1 : 0);
  for (const std::int64_t number : over) {
    const int d = wrap_dimension(number, x.rank());
    check(is_reduced[d] == 0, "sum over {}: dimension {} is named twice", over, d);
    is_reduced[d] = 1;
  }
  const Layout* layout = &x.layout();
  const Dims order = element_order({&layout, 1});
  // The result keeps the order of its dimensions in memory.
  Shape shape = x.shape();
  for (int d = 0; d < x.rank(); ++d)
    if (is_reduced[d] != 0) shape[d] = 1;
  Strides strides = strides_in_order(shape, order);
  for (int d = x.rank() - 1; d >= 0 && !keep; --d)
    if (is_reduced[d] != 0) {
      shape.erase(d);
      strides.erase(d);
    }
  const DType dtype = is_floating(x.dtype()) ? x.dtype() : DType::int64;
  const Tensor result = empty_strided(shape, strides, {.dtype = dtype, .device = x.device()});
  if (x.device() == Device::cpu && result.numel() > 0) {
    if (x.numel() == 0)
      std::memset(result.raw_data(), 0, static_cast<std::size_t>(result.bytes()));
    else
      fast::sum_on_cpu(result, x, order, is_reduced);
  }
  notify(OperationEvent{"sum", x.device(),
                        static_cast<double>(std::max<std::int64_t>(0, x.numel() - result.numel())),
                        distinct_bytes(x), result.bytes()});
  return result;
}

}  // namespace napkin
