// Reductions, softmax and cumulative sums of Variables: as those of tensors, with gradients. Where
// several elements are the largest (max, min, norm by infinity) each gets an equal share.
#pragma once
#include "common/autograd/variable.h"

namespace napkin::autograd {

Variable sum(const Variable& x, const Dims& over = {}, bool keep = false);
Variable mean(const Variable& x, const Dims& over = {}, bool keep = false);
Variable prod(const Variable& x, const Dims& over = {}, bool keep = false);
Variable max(const Variable& x, const Dims& over = {}, bool keep = false);
Variable min(const Variable& x, const Dims& over = {}, bool keep = false);
Variable var(const Variable& x, const Dims& over = {}, double correction = 1, bool keep = false);
Variable norm(const Variable& x, double p = 2, const Dims& over = {}, bool keep = false);

Variable softmax(const Variable& x, int dim);
Variable log_softmax(const Variable& x, int dim);
Variable cumsum(const Variable& x, int dim);

}  // namespace napkin::autograd
