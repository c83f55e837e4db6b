// How much memory this process may still use: what the machine has free, less where a container
// (control group) allows less. The system itself promises more than it has.
#pragma once
#include <cstdint>
#include <string>

namespace napkin {

struct MemoryLimit {
  std::int64_t total;      // bytes the process may use at most; 2^63 - 1 where nothing is known
  std::int64_t available;  // of these, bytes that are free or can be freed
};
MemoryLimit memory_limit();

// The same from the files under another root, for tests.
MemoryLimit memory_limit_under(const std::string& root);

}  // namespace napkin
