#include "common/tensor/blocks/quantization_error.h"

#include <cmath>

#include "common/core/error.h"
#include "common/tensor/blocks/quantize.h"

namespace napkin {

QuantizationError quantization_error(const Tensor& values, const Tensor& read) {
  check(values.shape() == read.shape(), "values of shape {} read back with shape {}",
        values.shape(), read.shape());
  const auto before = values.to_vector<double>(), after = read.to_vector<double>();
  QuantizationError result{.count = values.numel()};
  double error = 0, total = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double difference = std::abs(after[i] - before[i]);
    error += difference * difference;
    total += before[i] * before[i];
    if (before[i] != 0 && after[i] == 0) ++result.zeros;
    const bool worse = difference > result.worst_error || std::isnan(difference);
    if (worse && !std::isnan(result.worst_error)) {
      result.worst = static_cast<std::int64_t>(i);
      result.worst_error = difference;
    }
  }
  result.relative = error == 0 ? 0 : std::sqrt(error / total);
  return result;
}

QuantizationError quantization_error(const Tensor& values, const BlockTensor& q) {
  QuantizationError result = quantization_error(values, dequantize(q));
  const Blocks blocks = q.blocks();
  const auto numbers = values.to_vector<double>(), scales = q.decoded_scales().to_vector<double>();
  const float of_tensor =
      q.tensor_scale.defined() ? static_cast<float>(q.tensor_scale.item().to_double()) : 1;
  const double limit = largest(q.format.element);
  for (std::int64_t block = 0; block < blocks.count(); ++block) {
    const double scale = static_cast<float>(scales[static_cast<std::size_t>(block)]) * of_tensor;
    const std::int64_t first = blocks.row(block) * blocks.columns + blocks.column(block);
    for (std::int64_t i = first; i < first + blocks.length(block); ++i)
      if (scale > 0 && std::abs(numbers[static_cast<std::size_t>(i)]) > limit * scale)
        ++result.clipped;
  }
  return result;
}

}  // namespace napkin
