#include "common/numeric/dtype.h"

#include "common/core/names.h"

#include <algorithm>
#include <vector>

namespace napkin {
namespace {

struct Known {
  std::string_view ours;
  DType dtype;
  std::string_view pytorch[2];  // its names there; of fp8 the pages' name, too
};

constexpr Known known[] = {
    {"fp64", DType::fp64, {"float64", "double"}},
    {"fp32", DType::fp32, {"float32", "float"}},
    {"bf16", DType::bf16, {"bfloat16", {}}},
    {"fp16", DType::fp16, {"float16", "half"}},
    {"e4m3fn", DType::e4m3fn, {"float8_e4m3fn", "fp8_e4m3"}},
    {"e5m2", DType::e5m2, {"float8_e5m2", "fp8_e5m2"}},
    {"int64", DType::int64, {"int64", "long"}},
    {"int32", DType::int32, {"int32", "int"}},
    {"uint16", DType::uint16, {"uint16", {}}},
    {"uint8", DType::uint8, {"uint8", {}}},
    {"bool", DType::boolean, {"bool", {}}},
};

}  // namespace

std::string_view name(DType dtype) {
  for (const Known& k : known)
    if (k.dtype == dtype) return k.ours;
  return "unknown dtype";
}

DType dtype_named(std::string_view text) {
  for (const Known& k : known)
    for (const std::string_view one : {k.ours, k.pytorch[0], k.pytorch[1]})
      if (!text.empty() && same_name(text, one)) return k.dtype;
  std::vector<std::string> allowed;
  for (const Known& k : known) allowed.emplace_back(k.ours);
  refuse_name("dtype", text, allowed);
}

std::int64_t size_of(DType dtype) {
  return visit(dtype,
               [](auto tag) -> std::int64_t { return sizeof(typename decltype(tag)::Type); });
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  check(!is_fp8(a) && !is_fp8(b),
        "{} with {}: e4m3fn and e5m2 combine only with themselves; convert "
        "one first",
        name(a), name(b));
  const DType wider = std::min(a, b), narrower = std::max(a, b);  // listed from the widest
  if (wider == DType::bf16 && narrower == DType::fp16) return DType::fp32;  // neither holds both
  const bool unsigned16 = wider == DType::uint16 || narrower == DType::uint16;
  check(is_floating(wider) || !unsigned16,
        "{} with {}: uint16 combines only with itself and with floating dtypes; convert one first",
        name(a), name(b));
  return wider;
}

}  // namespace napkin
