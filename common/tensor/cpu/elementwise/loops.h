// The elementwise rules in loops over unbroken memory, for several instruction sets.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"

namespace napkin::cpu {

// result[i] = rule(operands[0][i], operands[1][i] ...) for a rule of rules/elementwise.h, computed
// in fp64, fp32 or int64; the result has that type too, but for comparisons, which give bool; so
// has a condition. The result may be one of the operands.
using Loop = void (*)(void* result, const void* const* operands, std::int64_t count);
struct Loops {
  Loop plain = nullptr;
  // Past the caches (stream.h), where there is such a loop: the result is none of the operands,
  // starts a 64-byte line and fills whole ones.
  Loop streaming = nullptr;
};
Loops arithmetic_loops(int number, DType compute);  // number: in ArithmeticRules, and so on
Loops function_loops(int number, DType compute);
Loops selection_loops(int number, DType compute);

}  // namespace napkin::cpu
