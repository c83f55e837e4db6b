#include "common/tensor/operations/join.h"

#include <vector>

#include "common/tensor/create.h"
#include "common/tensor/operations/apply.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/table.h"

namespace napkin {
namespace {

// What a result of these tensors is made as.
Options options_of(Op op, std::span<const Tensor> tensors) {
  const auto name = operation(op).name;
  check(!tensors.empty(), "{} of no tensors; at least one is needed", name);
  const Device device = tensors.front().device();
  for (std::size_t n = 1; n < tensors.size(); ++n)
    check(tensors[n].device() == device, "{}: tensor 0 is on {}, tensor {} on {}", name,
          napkin::name(device), n, napkin::name(tensors[n].device()));
  const std::vector<Input> inputs(tensors.begin(), tensors.end());
  const DType dtype = result_type(inputs);
  check_defined(op, dtype, device);
  return {.dtype = dtype, .device = device};
}

bool fits_everywhere(const Tensor& x) { return x.rank() == 1 && x.numel() == 0; }

// Whether the shapes differ along dim at most.
bool continues(const Shape& a, const Shape& b, int dim) {
  if (a.size() != b.size()) return false;
  for (int d = 0; d < a.size(); ++d)
    if (d != dim && a[d] != b[d]) return false;
  return true;
}

// Which tensor's shape the others must have.
std::size_t example_of(std::span<const Tensor> tensors) {
  std::size_t first = 0;
  while (first + 1 < tensors.size() && fits_everywhere(tensors[first])) ++first;
  return first;
}

void copy_part(const Tensor& part, const Tensor& source) {
  if (source.numel() > 0) copy_elements(part, source);
}

}  // namespace

Tensor cat(std::span<const Tensor> tensors, int dim) {
  const Options options = options_of(Op::cat, tensors);
  const std::size_t example = example_of(tensors);
  Shape shape = tensors[example].shape();
  const int d = wrap_dimension(dim, shape.size());
  std::int64_t total = 0;
  for (std::size_t n = 0; n < tensors.size(); ++n) {
    const Tensor& x = tensors[n];
    check(x.rank() > 0, "cat: tensor {} has no dimensions; stack takes such tensors", n);
    if (fits_everywhere(x)) continue;
    check(continues(x.shape(), shape, d),
          "cat along dimension {}: tensor {} has shape {}, tensor {} has shape {}; only that "
          "dimension may differ",
          d, n, x.shape(), example, tensors[example].shape());
    total = add(total, x.size(d));
  }
  shape[d] = total;
  const Tensor result = empty(shape, options);
  std::int64_t at = 0;
  for (const Tensor& x : tensors) {
    if (fits_everywhere(x)) continue;
    copy_part(result.slice(d, at, at + x.size(d)), x);
    at += x.size(d);
  }
  return result;
}

Tensor stack(std::span<const Tensor> tensors, int dim) {
  const Options options = options_of(Op::stack, tensors);
  Shape shape = tensors.front().shape();
  const int d = wrap_dimension(dim, shape.size() + 1);
  for (std::size_t n = 1; n < tensors.size(); ++n)
    check(tensors[n].shape() == shape, "stack: tensor {} has shape {}, tensor 0 has shape {}", n,
          tensors[n].shape(), shape);
  shape.insert(d, static_cast<std::int64_t>(tensors.size()));
  const Tensor result = empty(shape, options);
  for (std::size_t n = 0; n < tensors.size(); ++n)
    copy_part(result.select(d, static_cast<std::int64_t>(n)), tensors[n]);
  return result;
}

}  // namespace napkin
