#include "common/tensor/operations/sort.h"

#include "common/core/observer.h"
#include "common/tensor/cpu/sort/sort.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/sort/sort.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/order.h"

namespace napkin {
namespace {

Tensor with_dimension(const Tensor& x) { return x.rank() == 0 ? x.unsqueeze(0) : x; }

Sorted results_for(const Tensor& x, const Shape& shape, const Strides& strides) {
  return {empty_strided(shape, strides, {.dtype = x.dtype(), .device = x.device()}),
          empty_strided(shape, strides, {.dtype = DType::int64, .device = x.device()})};
}

void report(const char* name, const Tensor& x, const Sorted& sorted) {
  if (anyone_listens())
    notify(OperationEvent{name, x.device(), 0, distinct_bytes(x),
                          sorted.values.bytes() + sorted.indices.bytes()});
}

}  // namespace

Sorted sort(const Tensor& x, int dim, bool descending) {
  check_defined(Op::sort, x.dtype(), x.device());
  const int d = wrap_dimension(dim, x.rank());
  const Sorted sorted = results_for(x, x.shape(), strides_like(x.layout()));
  if (x.numel() > 0) {
    const Sorted to{with_dimension(sorted.values), with_dimension(sorted.indices)};
    if (x.device() == Device::cpu) cpu::sort(to, with_dimension(x), d, descending);
    if (x.device() == Device::cuda) cuda::sort(to, with_dimension(x), d, descending);
  }
  report("sort", x, sorted);
  return sorted;
}

Sorted topk(const Tensor& x, std::int64_t k, int dim, bool largest) {
  check_defined(Op::topk, x.dtype(), x.device());
  const int d = wrap_dimension(dim, x.rank());
  const Tensor from = with_dimension(x);
  check(k >= 0 && k <= from.size(d), "topk: k is {}, dimension {} has {} elements", k, d,
        from.size(d));
  Shape shape = x.shape();
  if (x.rank() > 0) shape[d] = k;
  const Sorted sorted = results_for(x, shape, contiguous_strides(shape));
  if (sorted.values.numel() > 0) {
    const Sorted to{with_dimension(sorted.values), with_dimension(sorted.indices)};
    if (x.device() == Device::cpu) cpu::sort(to, from, d, largest);
    if (x.device() == Device::cuda) cuda::sort(to, from, d, largest);
  }
  report("topk", x, sorted);
  return sorted;
}

}  // namespace napkin
