// Plain loops over unbroken memory, compiled for several instruction sets; the best one that this
// processor has is chosen at run time (Highway's dynamic dispatch). All levels give equal bits.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/tensor/convert.h"

namespace napkin::fast {

// result[i] = rule(operands[0][i], operands[1][i] ...) for a rule of elementwise_rules.h, computed
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

// The type in which a dtype's elements are computed; it holds each of them exactly.
constexpr DType compute_type(DType d) {
  if (d == DType::fp64) return DType::fp64;
  return is_floating(d) ? DType::fp32 : DType::int64;
}

// to[i] = convert(from[i], overflow) (convert.h), where from is a compute type, or to is from's
// compute type.
using Conversion = void (*)(void* to, const void* from, std::int64_t count);
Conversion conversion(DType to, DType from, Overflow overflow);
inline Conversion conversion(DType to, DType from) {
  return conversion(to, from, usual_overflow(to));
}

// To fp32 past the caches (stream.h), where there is such a loop, else nullptr: the result starts a
// 64-byte line and fills whole ones.
Conversion streaming_conversion(DType to, DType from);

// The same for any number of elements from a compute type; memcpy where the dtypes are equal.
void convert_all(void* to, DType to_type, const void* from, DType from_type, std::int64_t count);

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

}  // namespace napkin::fast
