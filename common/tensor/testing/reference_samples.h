// For the tests: every operation of the table by its reference, on the inputs of samples.h.
#pragma once
#include "common/tensor/testing/samples.h"

namespace napkin::samples {

std::vector<Tensor> run_reference(Op op, const Inputs& inputs);

}  // namespace napkin::samples
