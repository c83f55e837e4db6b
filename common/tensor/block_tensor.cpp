#include "common/tensor/block_tensor.h"

#include "common/tensor/create.h"

namespace napkin {

Blocks BlockTensor::blocks() const {
  const std::int64_t columns = shape.empty() ? 1 : shape[static_cast<int>(shape.size()) - 1];
  const std::int64_t count = count_elements(shape);
  return blocks_of(columns == 0 ? 0 : count / columns, columns, format.size);
}

std::int64_t BlockTensor::bytes() const {
  return codes.bytes() + scales.bytes() + (tensor_scale.defined() ? tensor_scale.bytes() : 0);
}

double BlockTensor::bits_per_value() const {
  return 8 * static_cast<double>(codes.bytes() + scales.bytes()) /
         static_cast<double>(count_elements(shape));
}

BlockTensor BlockTensor::to(Device device) const {
  BlockTensor moved = *this;
  moved.codes = codes.to(device);
  moved.scales = scales.to(device);
  if (tensor_scale.defined()) moved.tensor_scale = tensor_scale.to(device);
  return moved;
}

Tensor BlockTensor::element_codes() const {
  const Blocks b = blocks();
  const int bits = format.element.bits();
  const std::int64_t row_bytes = b.row_bytes(bits);
  const std::vector<std::uint8_t> packed = codes.to_vector<std::uint8_t>();
  std::vector<std::uint8_t> result;
  for (std::int64_t row = 0; row < b.rows; ++row)
    for (std::int64_t i = 0; i < b.columns; ++i)
      result.push_back(
          static_cast<std::uint8_t>(packed_code(packed.data() + row * row_bytes, i, bits)));
  return from_data(result, shape);
}

Tensor BlockTensor::decoded_scales() const {
  if (scales.dtype() == DType::fp32) return scales.to(Device::cpu);
  std::vector<float> result;
  for (const std::uint8_t code : scales.to_vector<std::uint8_t>())
    result.push_back(decoded_scale(format, code));
  return from_data(result, scales.shape());
}

}  // namespace napkin
