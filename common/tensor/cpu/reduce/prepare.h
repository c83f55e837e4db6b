// Elements prepared before they are combined, for reductions that are rarely asked for: they take
// the loops of a plain sum, a largest or smallest number then, and need none of their own.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"

namespace napkin::cpu {

struct Preparation {
  DType result{};
  // to[i] = from[i] as the rule prepares it; null where reduce_loops.h does that.
  void (*run)(void* to, const void* from, std::int64_t count, double parameter) = nullptr;
};

// Of that rule of ReductionRules for elements of a compute type.
Preparation preparation(int rule_number, DType elements);

}  // namespace napkin::cpu
