#include "common/core/host_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "common/core/error.h"
#include "common/core/memory_limit.h"
#include "common/core/units.h"

#if defined(__SANITIZE_ADDRESS__)
#define NAPKIN_KEEP_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NAPKIN_KEEP_MEMORY 0
#endif
#endif
#ifndef NAPKIN_KEEP_MEMORY
#define NAPKIN_KEEP_MEMORY 1
#endif

namespace napkin::host {
namespace {

constexpr std::int64_t line = 64;
constexpr std::int64_t huge_page = std::int64_t{2} << 20;
constexpr std::int64_t between_checks = std::int64_t{64} << 20;  // asking the system takes 0.1 ms
constexpr std::int64_t largest = std::int64_t{1} << 60;          // far past any machine

// The sizes of blocks: line, then eight steps from each power of two to the next.
struct SizeClass {
  int number;
  std::int64_t bytes;
};
constexpr int size_classes = 8 * 60;

SizeClass size_class(std::int64_t bytes) {
  if (bytes <= 8 * line) {
    const std::int64_t lines = (bytes + line - 1) / line;
    return {static_cast<int>(lines), lines * line};
  }
  const int doublings =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>((bytes - 1) / (8 * line))));
  const std::int64_t step = line << (doublings - 1);
  const std::int64_t steps = (bytes + step - 1) / step;  // 9 ... 16
  return {8 * doublings + static_cast<int>(steps - 8), steps * step};
}

// Of the system. Large blocks are mapped by themselves, from the start of a huge page.
std::byte* take_from_system(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  if (bytes < huge_page || !NAPKIN_KEEP_MEMORY)
    return static_cast<std::byte*>(std::aligned_alloc(line, size));
  const std::size_t mapped = size + huge_page;
  void* start = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::byte*>(start);
  const std::size_t before =
      (huge_page - reinterpret_cast<std::uintptr_t>(start) % huge_page) % huge_page;
  if (before > 0) munmap(first, before);
  munmap(first + before + size, mapped - before - size);
  madvise(first + before, size, MADV_HUGEPAGE);  // where the system knows none: small pages
  return first + before;
}

void give_to_system(std::byte* memory, std::int64_t bytes) {
  if (bytes < huge_page || !NAPKIN_KEEP_MEMORY)
    std::free(memory);
  else
    munmap(memory, static_cast<std::size_t>(bytes));
}

std::string readable(std::int64_t bytes) { return binary_bytes(static_cast<double>(bytes)); }

class Cache {
 public:
  std::byte* take(std::int64_t asked) {
    if (asked > largest) fail("out of memory: {} fit into no machine", readable(asked));
    const SizeClass block = size_class(asked);
    const std::lock_guard lock(mutex_);
    std::byte* memory = free_[block.number];
    if (memory != nullptr) {
      std::memcpy(&free_[block.number], memory, sizeof(std::byte*));
      cached_ -= block.bytes;
    } else {
      memory = take_new(asked, block.bytes);
    }
    used_ += block.bytes;
    return memory;
  }

  void give(std::byte* memory, std::int64_t asked) {
    const SizeClass block = size_class(asked);
    const std::lock_guard lock(mutex_);
    used_ -= block.bytes;
    if (cached_ + block.bytes > most_cached_) release();
    if (block.bytes > most_cached_ || !NAPKIN_KEEP_MEMORY)
      return give_to_system(memory, block.bytes);
    std::memcpy(memory, &free_[block.number], sizeof(std::byte*));
    free_[block.number] = memory;
    cached_ += block.bytes;
  }

  std::int64_t cached() {
    const std::lock_guard lock(mutex_);
    return cached_;
  }

  void release_all() {
    const std::lock_guard lock(mutex_);
    release();
  }

 private:
  std::byte* take_new(std::int64_t asked, std::int64_t bytes) {
    unchecked_ += bytes;
    if (unchecked_ >= between_checks) check_limit(asked);
    std::byte* memory = take_from_system(bytes);
    if (memory == nullptr) {
      release();
      memory = take_from_system(bytes);
    }
    if (memory == nullptr) fail("out of memory: the system refuses {} more", readable(asked));
    return memory;
  }

  // Linux promises memory that it does not have and ends the process that touches it.
  void check_limit(std::int64_t asked) {
    unchecked_ = 0;
    MemoryLimit limit = memory_limit();
    if (asked > limit.available && cached_ > 0) {
      release();
      limit = memory_limit();
    }
    const std::int64_t left = std::min(limit.available, limit.total - used_);
    if (asked > left)
      fail("out of memory: a tensor of {} ({} bytes) was asked for, {} are free", readable(asked),
           asked, readable(std::max<std::int64_t>(left, 0)));
  }

  void release() {
    for (int number = 0; number < size_classes; ++number)
      while (std::byte* memory = free_[number]) {
        std::memcpy(&free_[number], memory, sizeof(std::byte*));
        give_to_system(memory, bytes_of_class(number));
      }
    cached_ = 0;
  }

  static std::int64_t bytes_of_class(int number) {
    if (number <= 8) return number * line;
    return ((number - 1) % 8 + 9) * (line << ((number - 1) / 8 - 1));
  }

  std::mutex mutex_;
  std::byte* free_[size_classes] = {};  // a free block begins with the address of the next one
  std::int64_t cached_ = 0, used_ = 0, unchecked_ = 0;
  const std::int64_t most_cached_ = memory_limit().total / 4;
};

// Never destroyed: static tensors may give memory back after everything else has ended.
Cache& cache() {
  static Cache& instance = *new Cache;
  return instance;
}

}  // namespace

std::byte* take_memory(std::int64_t bytes) { return cache().take(bytes); }
void give_memory(std::byte* memory, std::int64_t bytes) { cache().give(memory, bytes); }
std::int64_t cached_memory() { return cache().cached(); }
void release_cached_memory() { cache().release_all(); }

}  // namespace napkin::host
