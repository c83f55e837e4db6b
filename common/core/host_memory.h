// Memory of the host for tensors: blocks that are given back are kept and handed out again.
//
// Most of what a large new tensor costs is the system's: mapping pages and filling them with
// zeros. A block that was used before has its pages already. Blocks come in sizes of eight steps
// per power of two, so that one fits again when sizes vary a little. The cache keeps at most a
// quarter of the memory that this process may use; a block that would pass that empties it first.
// Blocks of 2 MiB and more start a huge page and ask for huge pages. All functions are thread-safe.
// Under AddressSanitizer nothing is kept, so that it sees every use of freed memory.
#pragma once
#include <cstddef>
#include <cstdint>

namespace napkin::host {

// Uninitialised memory that starts a cache line (64 bytes). Refuses what does not fit into the
// memory that is free, before the system would kill the process for touching it.
std::byte* take_memory(std::int64_t bytes);

// Takes back what take_memory gave for that number of bytes.
void give_memory(std::byte* memory, std::int64_t bytes);

// Bytes that wait for their next use.
std::int64_t cached_memory();

// Returns them to the system.
void release_cached_memory();

}  // namespace napkin::host
