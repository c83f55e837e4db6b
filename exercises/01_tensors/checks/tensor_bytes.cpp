// Checks of exercise 01.1; the answer is in my/01_tensors/tensor_bytes.h.
#include <fmt/format.h>

#include "common/numeric/dtype.h"
#include "exercises/grading/check.h"
#include "my/01_tensors/tensor_bytes.h"

using namespace napkin;

void grade(exercises::Checks& checks) {
  struct Input {
    Shape shape;
    DType dtype;
  };
  const Input inputs[] = {
      {{32, 1024, 4096}, DType::bf16},  // the lecture's exercise
      {{12288, 49152}, DType::fp32},    // one matrix of GPT-3, past 2^31
      {{3, 5, 7}, DType::fp64},        {{1001}, DType::uint8},
      {{17, 1, 9}, DType::e4m3fn},     {{}, DType::int64},
      {{4, 0, 6}, DType::fp32},        {{70000, 70000, 3}, DType::fp16},
  };
  for (const auto& [shape, dtype] : inputs) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    const std::int64_t right = count * size_of(dtype);
    const std::string input = fmt::format("shape {}, {}", exercises::text_of(shape), name(dtype));
    checks.equal(input, [&] { return my::tensor_bytes(shape, dtype); }, right,
                 {{"four_bytes", 4 * count},
                  {"four_bytes", static_cast<std::int32_t>(4 * count)},
                  {"mebibytes", right >> 20},
                  {"overflow", static_cast<std::int32_t>(right)},
                  {"overflow", static_cast<std::uint32_t>(right)},
                  {"elements", count}});
  }
}
