// Picking, adding, joining and sorting Variables: as of tensors (operations/), with gradients.
#pragma once
#include <initializer_list>
#include <span>

#include "common/autograd/variable.h"

namespace napkin::autograd {

Variable index_select(const Variable& x, int dim, const Tensor& index);
Variable gather(const Variable& x, int dim, const Tensor& index);
Variable scatter_add(const Variable& x, int dim, const Tensor& index, const Variable& source);
Variable index_add(const Variable& x, int dim, const Tensor& index, const Variable& source);

Variable cat(std::span<const Variable> variables, int dim = 0);
Variable stack(std::span<const Variable> variables, int dim = 0);
inline Variable cat(std::initializer_list<Variable> variables, int dim = 0) {
  return cat(std::span(variables.begin(), variables.size()), dim);
}
inline Variable stack(std::initializer_list<Variable> variables, int dim = 0) {
  return stack(std::span(variables.begin(), variables.size()), dim);
}

struct SortedVariable {
  Variable values;
  Tensor indices;
};
SortedVariable sort(const Variable& x, int dim = -1, bool descending = false);
SortedVariable topk(const Variable& x, std::int64_t k, int dim = -1, bool largest = true);

}  // namespace napkin::autograd
