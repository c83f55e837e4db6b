#include "common/gpu/copy.h"

#include "common/core/error.h"
#include "common/gpu/check.h"
#include "common/gpu/stream.h"

namespace napkin::gpu {
namespace {

void enqueue(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, stream()));
}

}  // namespace

void copy_on_gpu(void* to, const void* from, std::int64_t bytes) {
  enqueue(to, from, bytes, cudaMemcpyDeviceToDevice);
}

void fill_bytes(void* to, int value, std::int64_t bytes) {
  if (bytes > 0) check(cudaMemsetAsync(to, value, static_cast<std::size_t>(bytes), stream()));
}

void copy_to_gpu(void* to, const void* from, std::int64_t bytes) {
  enqueue(to, from, bytes, cudaMemcpyHostToDevice);
  synchronize();
}

void copy_to_host(void* to, const void* from, std::int64_t bytes) {
  enqueue(to, from, bytes, cudaMemcpyDeviceToHost);
  synchronize();
}

PinnedMemory::PinnedMemory(std::int64_t bytes) : bytes_(bytes) {
  napkin::check(bytes > 0, "pinned memory of {} bytes: 1 or more can be had", bytes);
  stream();  // refuses where there is no GPU
  void* memory = nullptr;
  const cudaError_t status = cudaMallocHost(&memory, static_cast<std::size_t>(bytes));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    fail("out of memory: the system gives no {} bytes of pinned memory", bytes);
  }
  check(status);
  data_ = static_cast<std::byte*>(memory);
}

PinnedMemory::~PinnedMemory() {
  if (cudaStreamSynchronize(stream()) != cudaSuccess) cudaGetLastError();
  if (cudaFreeHost(data_) != cudaSuccess) cudaGetLastError();
}

void PinnedMemory::copy_to(void* gpu, std::int64_t bytes) const {
  napkin::check(bytes >= 0 && bytes <= bytes_, "{} bytes of {}", bytes, bytes_);
  enqueue(gpu, data_, bytes, cudaMemcpyHostToDevice);
}

void PinnedMemory::copy_from(const void* gpu, std::int64_t bytes) {
  napkin::check(bytes >= 0 && bytes <= bytes_, "{} bytes of {}", bytes, bytes_);
  enqueue(data_, gpu, bytes, cudaMemcpyDeviceToHost);
}

}  // namespace napkin::gpu
