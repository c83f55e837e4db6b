#include "common/tensor/storage.h"

#include <cstdlib>
#include <limits>

#include "common/core/error.h"
#include "common/core/units.h"

namespace napkin {
namespace {

constexpr std::int64_t alignment = 64;  // one cache line, one AVX-512 register

std::byte* take(std::int64_t bytes) {
  if (bytes == 0) return nullptr;
  check(bytes <= std::numeric_limits<std::int64_t>::max() / 2, "{} bytes cannot be allocated",
        bytes);
  const auto rounded = static_cast<std::size_t>((bytes + alignment - 1) / alignment * alignment);
  void* memory = std::aligned_alloc(static_cast<std::size_t>(alignment), rounded);
  check(memory != nullptr, "out of memory: {} bytes were asked for", bytes);
  return static_cast<std::byte*>(memory);
}

}  // namespace

Storage::Storage(std::int64_t bytes, Device device, Category category)
    : bytes_(bytes), device_(device), category_(category) {
  check(bytes >= 0, "a storage of {} bytes", bytes);
  check(device != Device::cuda, "device cuda: this build has no CUDA");
  if (device == Device::cpu) data_ = take(bytes);
  if (allocated_bytes() > 0) notify(AllocationEvent{this, device, category, bytes});
}

Storage::~Storage() {
  if (allocated_bytes() > 0) notify(AllocationEvent{this, device_, category_, -bytes_});
  std::free(data_);
}

}  // namespace napkin
