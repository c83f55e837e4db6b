// Instruction sets: loops are compiled for several of them, and the best one that this processor
// has is chosen at run time (Highway's dynamic dispatch). All levels give equal bits.
#pragma once
#include <string>
#include <vector>

namespace napkin::cpu {

// The instruction sets this program was compiled for and this processor has, best first.
std::vector<std::string> levels();

// While it lives, loops of that level are used; for tests.
class ForcedLevel {
 public:
  explicit ForcedLevel(const std::string& level);
  ~ForcedLevel();
  ForcedLevel(const ForcedLevel&) = delete;
  ForcedLevel& operator=(const ForcedLevel&) = delete;
};

}  // namespace napkin::cpu
