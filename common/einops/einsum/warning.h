// What einsum warns of.
#pragma once
#include <cstdint>
#include <string>

namespace napkin {

// An axis that occurs once, beside other operands, and is summed over; with an operand: one that
// has size 1 there and this size elsewhere.
struct EinsumWarning {
  std::string axis;
  int operand = 0;  // counted from 1
  std::int64_t size = 0;

  std::string sentence() const;
};

}  // namespace napkin
