// 01 Tensors: shape, stride, and what a tensor costs in bytes (lecture 2).
#include <cstdint>

#include "common/lecture/report.h"

using namespace napkin;

static void memory_is_count_times_bytes() {
  const std::int64_t bytes = std::int64_t{12288} * 49152 * 4;
  lecture::claim("gpt3_matrix_bytes", bytes);
  lecture::claim("gpt3_matrix_mib", bytes / (1 << 20));
}

int main(int argc, char** argv) {
  lecture::Demo demo("01_tensors", "Tensors: a long strip of memory", "2.1 - 2.4");
  demo.section("2.2", "Memory = elements x bytes per element", memory_is_count_times_bytes);
  return demo.run(argc, argv);
}
