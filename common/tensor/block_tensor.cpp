#include "common/tensor/block_tensor.h"

#include "common/core/error.h"
#include "common/core/observer.h"
#include "common/numeric/format_info.h"
#include "common/tensor/copy.h"
#include "common/tensor/create.h"
#include "common/tensor/fast/cuda/quantise.h"
#include "common/tensor/fast/quantise_cpu.h"

namespace napkin {
namespace {

using formats::e2m1, formats::e4m3fn, formats::e5m2, formats::e8m0, formats::fp32;

void check_format(const BlockFormat& f) {
  const bool element = f.element == e4m3fn || f.element == e5m2 || f.element == e2m1;
  const bool scale = f.scale == e8m0 || f.scale == e4m3fn || f.scale == fp32;
  check(element && scale, "blocks of {} with a scale of {}: elements are {}, scales are {}",
        name(f.element), name(f.scale), "e4m3fn, e5m2 or e2m1", "e8m0, e4m3fn or fp32");
  check(!f.tensor_scale || f.scale == e4m3fn, "a tensor's scale beside block scales of {}: only {}",
        name(f.scale), "e4m3fn scales have one");
  check(f.size >= BlockFormat::whole_row, "blocks of {} numbers: at least 1", f.size);
}

void check_floating(DType dtype, std::string_view what) {
  check(is_floating(dtype) && !is_fp8(dtype),
        "{} {}: a floating dtype is needed (fp64, fp32, bf16, fp16)", what, name(dtype));
}

BlockTensor empty_blocks(const Shape& shape, const BlockFormat& f, Device device) {
  BlockTensor q{.format = f, .shape = shape, .codes = {}, .scales = {}, .tensor_scale = {}};
  const Blocks blocks = q.blocks();
  const DType scale = f.scale == fp32 ? DType::fp32 : DType::uint8;
  q.codes = empty({blocks.rows, blocks.row_bytes(f.element.bits())},
                  {.dtype = DType::uint8, .device = device});
  q.scales = empty({blocks.rows, blocks.per_row()}, {.dtype = scale, .device = device});
  if (f.tensor_scale) q.tensor_scale = empty({}, {.device = device});
  return q;
}

}  // namespace

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

BlockTensor quantise(const Tensor& x, const BlockFormat& format) {
  check_format(format);
  check_floating(x.dtype(), "quantise from");
  BlockTensor q = empty_blocks(x.shape(), format, x.device());
  if (x.device() == Device::cpu) fast::quantise_on_cpu(q, x.contiguous());
  if (x.device() == Device::cuda) fast::cuda::quantise(q, x.contiguous());
  // An element: its absolute value compared, and multiplied by 1 / scale.
  notify(OperationEvent{"quantise", x.device(), 2 * static_cast<double>(x.numel()),
                        distinct_bytes(x), q.bytes()});
  return q;
}

Tensor dequantise(const BlockTensor& q, DType dtype) {
  check_floating(dtype, "dequantise to");
  const Tensor result = empty(q.shape, {.dtype = dtype, .device = q.device()});
  if (q.device() == Device::cpu) fast::dequantise_on_cpu(result, q);
  if (q.device() == Device::cuda) fast::cuda::dequantise(result, q);
  notify(OperationEvent{"dequantise", q.device(), static_cast<double>(result.numel()), q.bytes(),
                        result.bytes()});
  return result;
}

}  // namespace napkin
