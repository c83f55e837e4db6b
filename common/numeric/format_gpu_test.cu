// The kernels of format_gpu_test.cpp.
#include <cstdint>
#include <vector>

#include "common/gpu/check.h"
#include "common/numeric/blocks.h"

namespace napkin {
namespace {

template <class Real>
__global__ void encode_all(Format f, const Real* in, int count, std::uint64_t* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = encode(f, in[i], Overflow::to_special);
}

__global__ void decode_all(Format f, const std::uint64_t* in, int count, double* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = decode(f, in[i]);
}

__global__ void decode_all_narrow(Format f, const std::uint64_t* in, int count, double* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = decode_narrow(f, static_cast<std::uint32_t>(in[i]));
}

// The format in a type: nvcc cannot name a kernel that has a class as template argument.
struct Mxfp8 {
  static constexpr BlockFormat format = block_formats::mxfp8;
};
struct Mxfp4 {
  static constexpr BlockFormat format = block_formats::mxfp4;
};
struct Nvfp4 {
  static constexpr BlockFormat format = block_formats::nvfp4;
};

// One thread a block: what is read back.
template <class Kind>
__global__ void through_blocks(Kind, const float* in, int count, float* out) {
  constexpr BlockFormat format = Kind::format;
  constexpr int size = static_cast<int>(format.size);
  const int first = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * size;
  if (first >= count) return;
  const float g = tensor_scale(format, largest_magnitude(in, count));
  const float amax = largest_magnitude(in + first, size);
  const BlockScale scale = scale_of(format, block_scale(format, amax, g), g);
  for (int i = first; i < first + size; ++i)
    out[i] = dequantize(format, quantize(format, in[i], scale), scale.scale);
}

// Runs a kernel of the form kernel(what, in, count, out) over the values.
template <class What, class In, class Out>
std::vector<Out> on_gpu(void (*kernel)(What, const In*, int, Out*), What what,
                        const std::vector<In>& values) {
  const int count = static_cast<int>(values.size());
  In* in = nullptr;
  Out* out = nullptr;
  gpu::check(cudaMalloc(&in, values.size() * sizeof(In)));
  gpu::check(cudaMalloc(&out, values.size() * sizeof(Out)));
  gpu::check(cudaMemcpy(in, values.data(), values.size() * sizeof(In), cudaMemcpyHostToDevice));
  kernel<<<(count + 255) / 256, 256>>>(what, in, count, out);
  gpu::check(cudaGetLastError());
  std::vector<Out> result(values.size());
  gpu::check(cudaMemcpy(result.data(), out, result.size() * sizeof(Out), cudaMemcpyDeviceToHost));
  gpu::check(cudaFree(in));
  gpu::check(cudaFree(out));
  return result;
}

}  // namespace

std::vector<std::uint64_t> encoded_on_gpu(const Format& f, const std::vector<float>& values) {
  return on_gpu<Format, float, std::uint64_t>(encode_all<float>, f, values);
}
std::vector<std::uint64_t> encoded_on_gpu(const Format& f, const std::vector<double>& values) {
  return on_gpu<Format, double, std::uint64_t>(encode_all<double>, f, values);
}
std::vector<double> decoded_on_gpu(const Format& f, const std::vector<std::uint64_t>& codes) {
  return on_gpu<Format, std::uint64_t, double>(decode_all, f, codes);
}
std::vector<double> narrowly_decoded_on_gpu(const Format& f,
                                            const std::vector<std::uint64_t>& codes) {
  return on_gpu<Format, std::uint64_t, double>(decode_all_narrow, f, codes);
}
std::vector<float> through_mxfp8_on_gpu(const std::vector<float>& values) {
  return on_gpu<Mxfp8, float, float>(through_blocks<Mxfp8>, Mxfp8{}, values);
}
std::vector<float> through_mxfp4_on_gpu(const std::vector<float>& values) {
  return on_gpu<Mxfp4, float, float>(through_blocks<Mxfp4>, Mxfp4{}, values);
}
std::vector<float> through_nvfp4_on_gpu(const std::vector<float>& values) {
  return on_gpu<Nvfp4, float, float>(through_blocks<Nvfp4>, Nvfp4{}, values);
}

}  // namespace napkin
