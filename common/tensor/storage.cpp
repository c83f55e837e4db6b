#include "common/tensor/storage.h"

#include "common/core/error.h"
#include "common/core/host_memory.h"
#include "common/gpu/memory.h"
#include "common/gpu/runtime.h"

namespace napkin {

Storage::Storage(std::int64_t bytes, Device device, Category category)
    : bytes_(bytes), device_(device), category_(category) {
  check(bytes >= 0, "a storage of {} bytes", bytes);
  if (device == Device::cuda && !gpu::available())
    fail("device cuda: {}; tensors live on cpu, or on meta without data", gpu::why_unavailable());
  if (allocated_bytes() == 0) return;
  data_ = device == Device::cuda ? gpu::take_memory(bytes) : host::take_memory(bytes);
  notify(AllocationEvent{this, device, category, bytes});
}

Storage::~Storage() {
  if (allocated_bytes() == 0) return;
  notify(AllocationEvent{this, device_, category_, -bytes_});
  device_ == Device::cuda ? gpu::give_memory(data_, bytes_) : host::give_memory(data_, bytes_);
}

void release_cached_memory() {
  host::release_cached_memory();
  gpu::release_cached_memory();
}

}  // namespace napkin
