// Memory of the GPU, from a pool that belongs to the stream: what one operation gives back, the
// next one in the stream may take without waiting, while the GPU is still at work on the first. The
// pool keeps what it has until release_cached_memory().
#pragma once
#include <cstddef>
#include <cstdint>

namespace napkin::gpu {

// Uninitialised, aligned to 256 bytes; bytes > 0. Refuses what the GPU cannot give, naming what was
// asked for and what is free; the pool, the GPU and the CPU stay usable.
std::byte* take_memory(std::int64_t bytes);

// Work given to the stream before this still finds the memory untouched. Never throws.
void give_memory(std::byte* memory, std::int64_t bytes) noexcept;

// Waits for the stream and returns to the system what no tensor holds. Nothing where the GPU was
// never used.
void release_cached_memory();

// Bytes that the pool has of the GPU, held by tensors or kept for the next ones; and those held.
struct MemoryUse {
  std::int64_t reserved = 0, used = 0;
};
MemoryUse memory_use();

}  // namespace napkin::gpu
