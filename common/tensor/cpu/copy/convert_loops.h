// The rule of numeric/convert.h in loops over unbroken memory, for several instruction sets.
#pragma once
#include <cstdint>

#include "common/numeric/convert.h"

namespace napkin::cpu {

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

}  // namespace napkin::cpu
