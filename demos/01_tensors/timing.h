// What views and copies of a square FP32 matrix cost, measured.
#pragma once
#include <cstdint>
#include <vector>

#include "common/core/device.h"

namespace napkin {

struct Timing {
  std::int64_t side, bytes;
  double view, transposed_copy, plain_copy;  // seconds: x.t(), x.t().contiguous(), x.clone()
};

// Refuses (naming --side) a largest side below 1, or one whose matrices the memory cannot hold.
void check_side(std::int64_t largest);

// Measures one matrix on a device; each figure is the best of `repeats`, so that a busy machine
// disturbs least. The GPU's copies are timed by its own clock.
Timing time_transpose(std::int64_t side, int repeats, Device device = Device::cpu);

// Measures sides 256, 512, ... and the largest.
std::vector<Timing> time_transposes(std::int64_t largest, int repeats, Device device);

// The timings as a table, as view_and_copy.svg where --plot asks for pictures, and as the values
// mib, view_us, transposed_copy_us, plain_copy_us (microseconds; a list over the sizes in MiB).
void print_timings(const std::vector<Timing>& timings);

}  // namespace napkin
