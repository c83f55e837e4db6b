// What runs in which type (lecture 3.5).
#pragma once
#include <string>
#include <string_view>

#include "common/core/device.h"

namespace napkin {

// The type in which autocast runs an operation that is given BF16: "bf16" or "fp32".
std::string autocast(std::string_view operation, Device device);

void print_principles();
// Some operations on the CPU and on CUDA.
void print_autocast();

}  // namespace napkin
