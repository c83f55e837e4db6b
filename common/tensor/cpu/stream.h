// Copies past the caches: non-temporal stores, for results so large that nothing of them will still
// be in a cache when they are read (32 MiB or more). A smaller result is slower this way.
#pragma once
#include <cstdint>

namespace napkin::cpu {

inline constexpr std::int64_t streaming_bytes = std::int64_t{32} << 20;

// memcpy; whole 64-byte lines of the destination are streamed. The thread calls stream_fence()
// before it says that it is done.
void stream(void* to, const void* from, std::int64_t bytes);
void stream_fence();

}  // namespace napkin::cpu
