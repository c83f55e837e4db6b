// Copies past the caches: non-temporal stores, for results so large that nothing of them will still
// be in a cache when they are read (32 MiB or more). A smaller result is slower this way.
#pragma once
#include <cstdint>

namespace napkin::cpu {

inline constexpr std::int64_t streaming_bytes = std::int64_t{32} << 20;

// Runs of so many bytes, their starts so many bytes apart.
struct Runs {
  void* to;
  const void* from;
  std::int64_t bytes, count = 1, to_step = 0, from_step = 0;
};

// memcpy; whole 64-byte lines of the destination are streamed. The thread calls stream_fence()
// before it says that it is done.
void stream(const Runs& runs);
inline void stream(void* to, const void* from, std::int64_t bytes) { stream({to, from, bytes}); }
void stream_fence();

}  // namespace napkin::cpu
