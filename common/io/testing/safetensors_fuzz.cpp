// Fuzzing of the safetensors reader with libFuzzer (clang): cmake -DNAPKIN_FUZZ=ON, then
// bin/safetensors_fuzz -max_total_time=20
#include <cstdint>

#include "common/io/testing/safetensors_survives.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  napkin::io::survives(std::as_bytes(std::span(data, size)));
  return 0;
}
