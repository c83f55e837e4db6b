// Copies of bytes between computer and GPU. All of them wait in the stream for the work before
// them.
//
// The driver can only fetch memory of the computer that the system promises not to move (pinned).
// An ordinary array passes through a pinned buffer of the driver's; that costs most of the speed,
// and the program waits. From PinnedMemory the GPU copies by itself while the program goes on.
#pragma once
#include <cstddef>
#include <cstdint>

namespace napkin::gpu {

// From GPU to GPU; the stretches do not overlap. Does not wait.
void copy_on_gpu(void* to, const void* from, std::int64_t bytes);

// Every byte of the stretch becomes `value`. Does not wait.
void fill_bytes(void* to, int value, std::int64_t bytes);

// Return when the copy is done: everything given to the GPU before is done too, and faults that it
// met are thrown (fault.h).
void copy_to_gpu(void* to, const void* from, std::int64_t bytes);
void copy_to_host(void* to, const void* from, std::int64_t bytes);

// Memory of the computer that stays where it is. Costs milliseconds to take: keep it.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::int64_t bytes);
  ~PinnedMemory();  // waits for copies under way
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

  // Return at once. Until synchronize() (stream.h) the memory is not to be written by the program,
  // nor read after copy_from.
  void copy_to(void* gpu, std::int64_t bytes) const;
  void copy_from(const void* gpu, std::int64_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_;
};

}  // namespace napkin::gpu
