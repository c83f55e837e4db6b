#include "common/autograd/index.h"

#include <vector>

#include "common/autograd/node.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/join.h"
#include "common/tensor/operations/sort.h"

namespace napkin::autograd {
namespace {

Tensor zeros_for(const Tensor& g, const Shape& shape) {
  return zeros(shape, {g.dtype(), g.device(), Category::temporary});
}

// Each element of the gradient at the place where it was picked. Indices that name a place twice
// add up.
auto scattered(const Variable& x, int dim, const Tensor& index) {
  return [index = save(index, x), shape = x.shape(), dim](const Tensor& g) {
    Tensor all = zeros_for(g, shape);
    scatter_add_(all, dim, index(), g);
    return all;
  };
}

std::vector<Tensor> values_of(std::span<const Variable> variables) {
  std::vector<Tensor> values;
  for (const Variable& x : variables) values.push_back(x.value());
  return values;
}

SortedVariable picked(const char* name, const Variable& x, int dim, Sorted made) {
  return {record(name, made.values, d(x, scattered(x, dim, made.indices))), made.indices};
}

}  // namespace

Variable index_select(const Variable& x, int dim, const Tensor& index) {
  return record("index_select", napkin::index_select(x.value(), dim, index),
                d(x, [index = save(index, x), shape = x.shape(), dim](const Tensor& g) {
                  Tensor all = zeros_for(g, shape);
                  index_add_(all, dim, index(), g);
                  return all;
                }));
}

Variable gather(const Variable& x, int dim, const Tensor& index) {
  return record("gather", napkin::gather(x.value(), dim, index), d(x, scattered(x, dim, index)));
}

// Elements of source beyond the index were not used: their gradient is 0.
Variable scatter_add(const Variable& x, int dim, const Tensor& index, const Variable& source) {
  return record(
      "scatter_add", napkin::scatter_add(x.value(), dim, index, source.value()),
      d(x, [](const Tensor& g) { return g; }),
      d(source, [index = save(index, source), shape = source.shape(), dim](const Tensor& g) {
        const Tensor used = napkin::gather(g, dim, index());
        if (used.shape() == shape) return used;
        const Tensor all = zeros_for(g, shape);
        Tensor part = all;
        for (int k = 0; k < used.rank(); ++k) part = part.slice(k, 0, used.size(k));
        part.copy_(used);
        return all;
      }));
}

Variable index_add(const Variable& x, int dim, const Tensor& index, const Variable& source) {
  return record("index_add", napkin::index_add(x.value(), dim, index, source.value()),
                d(x, [](const Tensor& g) { return g; }),
                d(source, [index = save(index, source), dim](const Tensor& g) {
                  return napkin::index_select(g, dim, index());
                }));
}

Variable cat(std::span<const Variable> variables, int dim) {
  const Tensor joined = napkin::cat(values_of(variables), dim);
  std::vector<std::int64_t> starts, sizes;  // along dim; tensors of shape [0] fit everywhere
  std::int64_t start = 0;
  for (const Variable& x : variables) {
    const bool fits = x.rank() == joined.rank();
    starts.push_back(start);
    sizes.push_back(fits ? x.size(dim) : 0);
    start += sizes.back();
  }
  return record_list("cat", joined, variables,
                     [starts, sizes, dim](std::size_t n, const Tensor& g) {
                       return g.slice(dim, starts[n], starts[n] + sizes[n]);
                     });
}

Variable stack(std::span<const Variable> variables, int dim) {
  return record_list("stack", napkin::stack(values_of(variables), dim), variables,
                     [dim](std::size_t n, const Tensor& g) {
                       return g.select(dim, static_cast<std::int64_t>(n));
                     });
}

SortedVariable sort(const Variable& x, int dim, bool descending) {
  return picked("sort", x, dim, napkin::sort(x.value(), dim, descending));
}

SortedVariable topk(const Variable& x, std::int64_t k, int dim, bool largest) {
  return picked("topk", x, dim, napkin::topk(x.value(), k, dim, largest));
}

}  // namespace napkin::autograd
