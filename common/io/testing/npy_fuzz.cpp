// Fuzzing of the .npy reader with libFuzzer (clang): cmake -DNAPKIN_FUZZ=ON, then
// bin/npy_fuzz -max_total_time=10
#include <cstdint>

#include "common/io/testing/npy_survives.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  napkin::io::npy_survives(std::as_bytes(std::span(data, size)));
  return 0;
}
