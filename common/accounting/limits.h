// What this machine can do at most, measured here and now: the yardsticks of the benchmarks.
// Both use as many threads as parallel loops do (set_threads).
#pragma once
#include <cstdint>

namespace napkin::accounting {

// Seconds in which so many bytes are read and as many written: the better one of a streaming copy
// and memcpy, the shortest of several runs.
double copy_seconds(std::int64_t bytes);

// FP32 multiplications and additions a second, of independent vector instructions.
double peak_flops();

}  // namespace napkin::accounting
