// Fuzzing of patterns with libFuzzer (clang): cmake -DNAPKIN_FUZZ=ON, then
// bin/pattern_fuzz -max_total_time=10
#include <cstdint>

#include "common/einops/testing/pattern_survives.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  napkin::einops::pattern_survives(std::span(data, size));
  return 0;
}
