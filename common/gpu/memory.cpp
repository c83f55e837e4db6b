#include "common/gpu/memory.h"

#include <limits>

#include "common/core/error.h"
#include "common/core/units.h"
#include "common/gpu/check.h"
#include "common/gpu/in_use.h"
#include "common/gpu/stream.h"

namespace napkin::gpu {
namespace {

cudaMemPool_t make_pool() {
  stream();  // refuses where there is no GPU
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t made = nullptr;
  check(cudaMemPoolCreate(&made, &wanted));
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();  // whatever was given back
  check(cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &keep));
  return made;
}

// Not the device's own pool, which other libraries share. Never destroyed, as the stream.
cudaMemPool_t pool() {
  static const cudaMemPool_t instance = make_pool();
  return instance;
}

std::string readable(std::size_t bytes) { return binary_bytes(static_cast<double>(bytes)); }

cudaError_t try_to_take(void** memory, std::size_t bytes) {
  const cudaError_t status = cudaMallocFromPoolAsync(memory, bytes, pool(), stream());
  if (status != cudaSuccess) cudaGetLastError();  // the next call starts clean
  return status;
}

}  // namespace

std::byte* take_memory(std::int64_t bytes) {
  const auto asked = static_cast<std::size_t>(bytes);
  void* memory = nullptr;
  if (try_to_take(&memory, asked) == cudaSuccess) return static_cast<std::byte*>(memory);
  release_cached_memory();
  const cudaError_t status = try_to_take(&memory, asked);
  if (status == cudaSuccess) return static_cast<std::byte*>(memory);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  if (status == cudaErrorMemoryAllocation || asked > free)
    fail("out of memory on the GPU: a tensor of {} ({} bytes) was asked for, {} of {} are free",
         readable(asked), bytes, readable(free), readable(total));
  check(status);
  fail("the GPU's pool gave no memory");  // not reached: the status is an error
}

void give_memory(std::byte* memory, std::int64_t) noexcept {
  // When the program ends the driver may have gone already, and the memory with it.
  if (cudaFreeAsync(memory, stream()) != cudaSuccess) cudaGetLastError();
}

void release_cached_memory() {
  if (!in_use()) return;
  check(cudaStreamSynchronize(stream()));
  check(cudaMemPoolTrimTo(pool(), 0));
}

MemoryUse memory_use() {
  if (!in_use()) return {};
  std::uint64_t reserved = 0, used = 0;
  check(cudaMemPoolGetAttribute(pool(), cudaMemPoolAttrReservedMemCurrent, &reserved));
  check(cudaMemPoolGetAttribute(pool(), cudaMemPoolAttrUsedMemCurrent, &used));
  return {static_cast<std::int64_t>(reserved), static_cast<std::int64_t>(used)};
}

}  // namespace napkin::gpu
