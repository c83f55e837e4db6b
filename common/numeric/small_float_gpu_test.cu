// The kernels of small_float_gpu_test.cpp.
#include <cstdint>
#include <vector>

#include "common/gpu/check.h"
#include "common/numeric/small_float.h"

namespace napkin {
namespace {

template <class T>
__global__ void encode(const double* in, int count, std::uint16_t* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = T(in[i]).bits;
}

template <class T>
__global__ void decode(const std::uint16_t* in, int count, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = static_cast<float>(T::from_bits(static_cast<typename T::Code>(in[i])));
}

// Runs a kernel of the form kernel(in, count, out) over the values.
template <class In, class Out>
std::vector<Out> on_gpu(void (*kernel)(const In*, int, Out*), const std::vector<In>& values) {
  const int count = static_cast<int>(values.size());
  In* in = nullptr;
  Out* out = nullptr;
  gpu::check(cudaMalloc(&in, values.size() * sizeof(In)));
  gpu::check(cudaMalloc(&out, values.size() * sizeof(Out)));
  gpu::check(cudaMemcpy(in, values.data(), values.size() * sizeof(In), cudaMemcpyHostToDevice));
  kernel<<<(count + 255) / 256, 256>>>(in, count, out);
  gpu::check(cudaGetLastError());
  std::vector<Out> result(values.size());
  gpu::check(cudaMemcpy(result.data(), out, result.size() * sizeof(Out), cudaMemcpyDeviceToHost));
  gpu::check(cudaFree(in));
  gpu::check(cudaFree(out));
  return result;
}

}  // namespace

template <class T>
std::vector<std::uint16_t> encoded_on_gpu(const std::vector<double>& values) {
  return on_gpu<double, std::uint16_t>(encode<T>, values);
}

template <class T>
std::vector<float> decoded_on_gpu(const std::vector<std::uint16_t>& codes) {
  return on_gpu<std::uint16_t, float>(decode<T>, codes);
}

template std::vector<std::uint16_t> encoded_on_gpu<BFloat16>(const std::vector<double>&);
template std::vector<std::uint16_t> encoded_on_gpu<Float16>(const std::vector<double>&);
template std::vector<std::uint16_t> encoded_on_gpu<Float8E4M3fn>(const std::vector<double>&);
template std::vector<std::uint16_t> encoded_on_gpu<Float8E5M2>(const std::vector<double>&);
template std::vector<float> decoded_on_gpu<BFloat16>(const std::vector<std::uint16_t>&);
template std::vector<float> decoded_on_gpu<Float16>(const std::vector<std::uint16_t>&);
template std::vector<float> decoded_on_gpu<Float8E4M3fn>(const std::vector<std::uint16_t>&);
template std::vector<float> decoded_on_gpu<Float8E5M2>(const std::vector<std::uint16_t>&);

}  // namespace napkin
