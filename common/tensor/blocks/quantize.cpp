#include "common/tensor/blocks/quantize.h"

#include "common/core/error.h"
#include "common/core/observer.h"
#include "common/numeric/format_info.h"
#include "common/tensor/cpu/quantize/quantize.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/quantize/quantize.h"
#include "common/tensor/operations/copy.h"

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

BlockTensor quantize(const Tensor& x, const BlockFormat& format) {
  check_format(format);
  check_floating(x.dtype(), "quantize from");
  BlockTensor q = empty_blocks(x.shape(), format, x.device());
  if (x.device() == Device::cpu) cpu::quantize(q, x.contiguous());
  if (x.device() == Device::cuda) cuda::quantize(q, x.contiguous());
  // An element: its absolute value compared, and multiplied by 1 / scale.
  notify(OperationEvent{"quantize", x.device(), 2 * static_cast<double>(x.numel()),
                        distinct_bytes(x), q.bytes()});
  return q;
}

Tensor dequantize(const BlockTensor& q, DType dtype) {
  check_floating(dtype, "dequantize to");
  const Tensor result = empty(q.shape, {.dtype = dtype, .device = q.device()});
  if (q.device() == Device::cpu) cpu::dequantize(result, q);
  if (q.device() == Device::cuda) cuda::dequantize(result, q);
  notify(OperationEvent{"dequantize", q.device(), static_cast<double>(result.numel()), q.bytes(),
                        result.bytes()});
  return result;
}

}  // namespace napkin
