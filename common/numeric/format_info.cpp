#include "common/numeric/format_info.h"

#include <cmath>
#include <vector>

#include "common/core/error.h"
#include "common/core/names.h"

namespace napkin {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view ieee = "IEEE 754-2019, https://doi.org/10.1109/IEEESTD.2019.8766229";
constexpr std::string_view tf32 =
    "NVIDIA A100 Tensor Core GPU Architecture, "
    "https://images.nvidia.com/aem-dam/en-zz/Solutions/data-center/"
    "nvidia-ampere-architecture-whitepaper.pdf";
constexpr std::string_view bf16 =
    "Intel BFLOAT16 Hardware Numerics Definition 338302, "
    "https://www.intel.com/content/dam/develop/external/us/en/documents/"
    "bf16-hardware-numerics-definition-white-paper.pdf";
constexpr std::string_view ofp8 =
    "OCP 8-bit Floating Point Specification (OFP8) v1.0, "
    "https://www.opencompute.org/documents/"
    "ocp-8-bit-floating-point-specification-ofp8-revision-1-0-2023-12-01-pdf-1";
constexpr std::string_view mx =
    "OCP Microscaling Formats (MX) Specification v1.0, "
    "https://www.opencompute.org/documents/ocp-microscaling-formats-mx-v1-0-spec-final-pdf";

constexpr NamedFormat table[] = {
    {"fp64", {"float64", "double"}, formats::fp64, ieee},
    {"fp32", {"float32", "float"}, formats::fp32, ieee},
    {"tf32", {}, formats::tf32, tf32},
    {"fp16", {"float16", "half"}, formats::fp16, ieee},
    {"bf16", {"bfloat16"}, formats::bf16, bf16},
    {"e4m3fn", {"float8_e4m3fn", "fp8_e4m3", "e4m3", "fp8"}, formats::e4m3fn, ofp8},
    {"e5m2", {"float8_e5m2", "fp8_e5m2"}, formats::e5m2, ofp8},
    {"e2m1", {"float4_e2m1fn", "fp4_e2m1", "fp4"}, formats::e2m1, mx},
    {"e8m0", {"float8_e8m0fnu"}, formats::e8m0, mx},
};

// The smallest number above x >= 0; the sign bit of a scale is never set.
double above(const Format& f, double x) {
  if (std::isinf(x)) return x;
  const std::uint64_t code = encode(f, x, Overflow::saturate);
  const double near = decode(f, code);
  if (near > x) return near;
  return code == f.largest_code() && f.specials == Specials::none ? nan : decode(f, code + 1);
}

// The largest number below x > 0. Before e8m0's code 0 comes the one with all ones: NaN.
double below(const Format& f, double x) {
  const std::uint64_t code = encode(f, x, Overflow::saturate);
  return decode(f, code) < x ? decode(f, code) : decode(f, code - 1);
}

}  // namespace

double spacing(const Format& f, double x) {
  const double magnitude = std::abs(x);
  const FormatInfo limits = info(f);
  const double least = f.specials == Specials::scale ? limits.smallest_normal : 0;
  if (!(magnitude <= limits.max && magnitude >= least) || (least > 0 && x < 0)) return nan;
  const int exponent = std::ilogb(std::max(magnitude, limits.smallest_normal));
  return std::ldexp(1.0, exponent - f.mantissa_bits);
}

double next_up(const Format& f, double x) {
  if (std::isnan(x)) return x;
  if (f.specials == Specials::scale) return x < 0 ? decode(f, 0) : above(f, x);
  return x < 0 ? -below(f, -x) : above(f, std::abs(x));
}

double next_down(const Format& f, double x) {
  if (f.specials != Specials::scale) return -next_up(f, -x);
  return x > 0 ? below(f, x) : nan;
}

std::span<const NamedFormat> all_formats() { return table; }

const NamedFormat& format_named(std::string_view text) {
  for (const NamedFormat& known : table) {
    const auto& aliases = known.aliases;
    if (same_name(text, known.name)) return known;
    for (const std::string_view alias : aliases)
      if (!text.empty() && same_name(text, alias)) return known;
  }
  std::vector<std::string> allowed;
  for (const NamedFormat& known : table) allowed.emplace_back(known.name);
  refuse_name("number format", text, allowed);
}

std::string name(const Format& f) {
  for (const NamedFormat& known : table)
    if (known.format == f) return std::string(known.name);
  return fmt::format("e{}m{}, bias {}", f.exponent_bits, f.mantissa_bits, f.bias);
}

}  // namespace napkin
