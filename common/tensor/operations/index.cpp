// Index tensors are brought to one form: of the shape of what is picked or added, an index of
// slices repeated along the other dimensions (strides of 0). So there is one loop that picks and
// one that adds.
#include "common/tensor/operations/index.h"

#include <algorithm>

#include "common/core/observer.h"
#include "common/tensor/cpu/index/index.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/index/index.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/table.h"

namespace napkin {
namespace {

Tensor with_dimension(const Tensor& x) { return x.rank() == 0 ? x.unsqueeze(0) : x; }

void check_operands(Op op, const Tensor& x, const Tensor& index) {
  check_defined(op, x.dtype(), x.device());
  const auto name = operation(op).name;
  check(index.dtype() == DType::int64 || index.dtype() == DType::int32,
        "{}: an index of dtype {}; int64 and int32 are allowed", name, napkin::name(index.dtype()));
  check(index.device() == x.device(), "{}: the tensor is on {}, the index on {}", name,
        napkin::name(x.device()), napkin::name(index.device()));
}

// A list of numbers of slices.
Tensor list_of(Op op, const Tensor& index) {
  check(index.rank() <= 1, "{}: an index of shape {}; one dimension is allowed", operation(op).name,
        index.shape());
  return with_dimension(index);
}

// Refuses the first index that is not in [0, size - 1]. On the GPU the kernels report it.
void check_range(Op op, const Tensor& index, int dim, std::int64_t size) {
  if (index.device() != Device::cpu || cpu::all_in_range(index, size)) return;
  Dims at(index.rank(), 0);
  while (true) {
    const std::int64_t value = index.at(at).to_int64();
    check(value >= 0 && value < size,
          "{}: index {} at position {} is not in dimension {} of size {} (from 0 to the size - 1)",
          operation(op).name, value, at, dim, size);
    int d = index.rank() - 1;
    for (; ++at[d] == index.size(d); --d) at[d] = 0;
  }
}

// The list as an index of every element of that shape.
Tensor repeated(const Tensor& list, int dim, const Shape& shape) {
  Tensor index = list;
  for (int d = 0; d < shape.size(); ++d)
    if (d != dim) index = index.unsqueeze(d);
  return index.expand(shape);
}

// The elements of x that an index of that shape stands beside: all of them along dim.
Tensor beside(Tensor x, int dim, const Shape& shape) {
  for (int d = 0; d < x.rank(); ++d)
    if (d != dim) x = x.slice(d, 0, shape[d]);
  return x;
}

// `index` is the operand; as it stands beside the result's elements, `each`. The result is new, so
// that indices may be checked where they are read.
void pick(Op op, const Tensor& result, const Tensor& x, int dim, const Tensor& index,
          const Tensor& each) {
  if (x.numel() == 0) check_range(op, index, dim, x.size(dim));
  if (result.numel() > 0 && x.numel() > 0) {
    const Tensor from = beside(x, dim, each.shape());
    if (x.device() == Device::cpu && !cpu::gather(result, from, dim, each))
      check_range(op, index, dim, x.size(dim));
    if (x.device() == Device::cuda)
      cuda::gather(operation(op).name.data(), result, from, dim, each);
  }
  notify(OperationEvent{operation(op).name.data(), x.device(), 0,
                        distinct_bytes(index) + result.bytes(), result.bytes()});
}

// Everything has been checked; `source` is no larger than `index`.
void add_at(Op op, const Tensor& x, int dim, const Tensor& index, const Tensor& source, Order order,
            std::int64_t index_bytes) {
  if (index.numel() > 0) {
    const Tensor to = beside(x, dim, index.shape());
    const Tensor from = may_share_memory(source, x) ? source.clone() : source;
    const Tensor numbers = may_share_memory(index, x) ? index.clone() : index;
    if (x.device() == Device::cpu) cpu::scatter_add(to, dim, numbers, from, order);
    if (x.device() == Device::cuda)
      cuda::scatter_add(operation(op).name.data(), to, dim, numbers, from, order);
  }
  // Each term is read, and so is the place it goes to, which is written.
  const std::int64_t terms = index.numel() * size_of(x.dtype());
  const std::int64_t places = std::min(terms, x.bytes());
  notify(OperationEvent{operation(op).name.data(), x.device(), static_cast<double>(index.numel()),
                        index_bytes + terms + places, places});
  x.storage()->bump_version();
}

void check_source(Op op, const Tensor& x, const Tensor& source) {
  const auto name = operation(op).name;
  check(source.dtype() == x.dtype(), "{}: a source of dtype {} for a tensor of dtype {}", name,
        napkin::name(source.dtype()), napkin::name(x.dtype()));
  check(source.device() == x.device(), "{}: the tensor is on {}, the source on {}", name,
        napkin::name(x.device()), napkin::name(source.device()));
}

// The index has x's dimensions, none of them but dim larger.
void check_shape(Op op, const Tensor& x, int dim, const Tensor& index) {
  const auto name = operation(op).name;
  check(index.rank() == x.rank(),
        "{}: an index of shape {} for a tensor of shape {}; the numbers "
        "of dimensions must be equal",
        name, index.shape(), x.shape());
  for (int d = 0; d < x.rank(); ++d)
    check(d == dim || index.size(d) <= x.size(d),
          "{}: an index of shape {} for a tensor of shape {}: it is larger in dimension {}", name,
          index.shape(), x.shape(), d);
}

// A new tensor with x's elements, contiguous.
Tensor copy_of(const Tensor& x) {
  const Tensor copy = empty(x.shape(), {.dtype = x.dtype(), .device = x.device()});
  copy_elements(copy, x);
  return copy;
}

// The checks of scatter_add, then what it does to `target`, which has x's shape.
struct Addition {
  Tensor index, source;  // of one shape
  int dim;
  std::int64_t index_bytes;
};

Addition plan_scatter_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  constexpr Op op = Op::scatter_add;
  check_operands(op, x, index);
  check_source(op, x, source);
  Addition a{with_dimension(index), with_dimension(source), wrap_dimension(dim, x.rank()),
             distinct_bytes(index)};
  check_shape(op, with_dimension(x), a.dim, a.index);
  check(a.source.rank() == a.index.rank(),
        "scatter_add: a source of shape {} for an index of "
        "shape {}; the numbers of dimensions must be equal",
        source.shape(), index.shape());
  for (int d = 0; d < a.index.rank(); ++d) {
    check(a.index.size(d) <= a.source.size(d),
          "scatter_add: a source of shape {} for an index of shape {}: it is smaller in dimension "
          "{}",
          source.shape(), index.shape(), d);
    a.source = a.source.slice(d, 0, a.index.size(d));
  }
  check_range(op, a.index, a.dim, with_dimension(x).size(a.dim));
  return a;
}

Addition plan_index_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  constexpr Op op = Op::index_add;
  check_operands(op, x, index);
  check_source(op, x, source);
  const Tensor list = list_of(op, index);
  Addition a{{}, with_dimension(source), wrap_dimension(dim, x.rank()), distinct_bytes(index)};
  Shape wanted = with_dimension(x).shape();
  wanted[a.dim] = list.numel();
  check(a.source.shape() == wanted && source.rank() == x.rank(),
        "index_add: a source of shape {} for a tensor of shape {} and {} indices along dimension "
        "{}; {} is allowed",
        source.shape(), x.shape(), list.numel(), a.dim, x.rank() > 0 ? wanted : x.shape());
  check_range(op, list, a.dim, with_dimension(x).size(a.dim));
  a.index = repeated(list, a.dim, wanted);
  return a;
}

Tensor out_of_place(Op op, const Tensor& x, const Addition& a, Order order) {
  const Tensor result = copy_of(x);
  add_at(op, with_dimension(result), a.dim, a.index, a.source, order, a.index_bytes);
  return result;
}

Tensor& in_place(Op op, Tensor& x, const Addition& a, Order order) {
  check_writable(x, std::string(operation(op).name) + "_");
  add_at(op, with_dimension(x), a.dim, a.index, a.source, order, a.index_bytes);
  return x;
}

}  // namespace

Tensor index_select(const Tensor& x, int dim, const Tensor& index) {
  constexpr Op op = Op::index_select;
  check_operands(op, x, index);
  const Tensor list = list_of(op, index), from = with_dimension(x);
  const int d = wrap_dimension(dim, x.rank());
  check(x.rank() > 0 || list.numel() == 1,
        "index_select: {} indices into a 0-dimensional tensor; 1 is allowed", list.numel());
  Shape shape = from.shape();
  shape[d] = list.numel();
  const Tensor result =
      empty(x.rank() == 0 ? Shape() : shape, {.dtype = x.dtype(), .device = x.device()});
  pick(op, with_dimension(result), from, d, list, repeated(list, d, shape));
  return result;
}

Tensor gather(const Tensor& x, int dim, const Tensor& index) {
  constexpr Op op = Op::gather;
  check_operands(op, x, index);
  const Tensor from = with_dimension(x), positions = with_dimension(index);
  const int d = wrap_dimension(dim, x.rank());
  check_shape(op, from, d, positions);
  const Tensor result = empty(index.shape(), {.dtype = x.dtype(), .device = x.device()});
  pick(op, with_dimension(result), from, d, positions, positions);
  return result;
}

Tensor scatter_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source,
                   Order order) {
  const Autocasted operands(Op::scatter_add, x, source);
  return out_of_place(Op::scatter_add, operands[0],
                      plan_scatter_add(operands[0], dim, index, operands[1]), order);
}

Tensor& scatter_add_(Tensor& x, int dim, const Tensor& index, const Tensor& source, Order order) {
  return in_place(Op::scatter_add, x, plan_scatter_add(x, dim, index, source), order);
}

Tensor index_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source, Order order) {
  return out_of_place(Op::index_add, x, plan_index_add(x, dim, index, source), order);
}

Tensor& index_add_(Tensor& x, int dim, const Tensor& index, const Tensor& source, Order order) {
  return in_place(Op::index_add, x, plan_index_add(x, dim, index, source), order);
}

}  // namespace napkin
