// The inputs of demo 02: their values in the lecture, their flags and their limits.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/lecture/report.h"

namespace napkin {

struct Inputs {
  std::string number = "0.1";
  double small = 1e-8, large = 70000, loss_scale = 1024, gradients = 1e-7, largest_gradient = 2;
  double next_to_1 = 0.001, next_to_1024 = 1, add = 0.01, weight = 1, update = 1e-4;
  std::int64_t times = 10000, steps = 1000;
  double fp8_gradients = 1e-4, amplitude = 120;
  std::int64_t count = 4096, every = 585, block = 16;
  std::vector<std::int64_t> exercise3 = {1, 4, 5};
};

void add_inputs(lecture::Demo& demo, Inputs& in);
// Each section refuses, naming the flag, what it cannot use.
void refuse_bad(lecture::Demo& demo, const Inputs& in);

}  // namespace napkin
