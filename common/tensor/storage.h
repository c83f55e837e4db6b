// Storage: one strip of memory, shared by all views of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/core/device.h"
#include "common/core/observer.h"

namespace napkin {

class Storage {
 public:
  // Takes uninitialised memory (none on meta) and tells the observers. Refuses a negative number
  // of bytes, what the machine cannot give, and cuda without a device.
  Storage(std::int64_t bytes, Device device, Category category = Category::other);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() const { return data_; }      // null on meta and for 0 bytes
  std::int64_t bytes() const { return bytes_; }  // what the elements take, or would take on meta
  std::int64_t allocated_bytes() const { return device_ == Device::meta ? 0 : bytes_; }
  Device device() const { return device_; }
  Category category() const { return category_; }
  // Counts in-place writes, so that a saved tensor can tell whether it was changed.
  std::uint64_t version() const { return version_; }
  void bump_version() { ++version_; }

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_;
  std::uint64_t version_ = 0;
  Device device_;
  Category category_;
};

using StoragePointer = std::shared_ptr<Storage>;

// Memory of storages that are gone is kept for the next ones, up to a quarter of what this process
// may use, on the GPU without a limit; this returns it to the system.
void release_cached_memory();

}  // namespace napkin
