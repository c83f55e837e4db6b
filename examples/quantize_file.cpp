// A .npy file in a format of 4 or 8 bits, read back, and how far off it is then (lecture 3.6).
//   example_quantize_file FILE.npy [FORMAT]      nvfp4 (if none is named), mxfp8, mxfp4, fp8, fp4
#include <fmt/core.h>

#include "common/core/units.h"
#include "common/io/npy.h"
#include "common/numeric/block_formats.h"
#include "common/tensor/blocks/quantization_error.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/create.h"

using namespace napkin;

int main(int argc, char** argv) try {
  check(argc == 2 || argc == 3, "give the name of a .npy file, and perhaps a format");
  const char* format = argc == 3 ? argv[2] : "nvfp4";
  const io::NpyArray file = io::load_npy(argv[1]);
  const Tensor values = from_data(file.values, Shape(file.shape)).to(DType::fp32);
  check(values.numel() > 0, "{}: shape {} has no values", argv[1], to_string(values.shape()));

  const BlockTensor blocks = quantize(values, block_format_named(format));
  const Tensor read = dequantize(blocks);
  const QuantizationError error = quantization_error(values, blocks);

  fmt::print("{} of shape {} in {}: {:.2f} bits each, {} bytes instead of {}\n",
             counted(values.numel(), "value"), to_string(values.shape()), format,
             blocks.bits_per_value(), blocks.bytes(), values.bytes());
  fmt::print("relative error {:.4f} %, {} became 0, {} clipped\n", 100 * error.relative,
             error.zeros, error.clipped);
  fmt::print("worst: value {} is {:.6g}, read back {:.6g}\n", error.worst,
             values.flatten().at({error.worst}).to_double(),
             read.flatten().at({error.worst}).to_double());
} catch (const Error& error) {
  fmt::print(stderr, "example_quantize_file: {}\n", error.what());
  return 2;
}
