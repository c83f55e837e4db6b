// What a format can hold, its numbers one after the other, and formats by name.
//
// As numpy.finfo, spacing and nextafter, for formats that a C++ type does not have.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "common/numeric/format.h"

namespace napkin {

struct FormatInfo {
  int bits;
  double max;
  double smallest_normal;
  double smallest_subnormal;  // the smallest positive number; e8m0 has only normal ones
  double eps;                 // from 1 to the next number
};

constexpr FormatInfo info(const Format& f) {
  const bool is_scale = f.specials == Specials::scale;
  return {.bits = f.bits(),
          .max = decode(f, f.largest_code()),
          .smallest_normal = decode(f, is_scale ? 0 : std::uint64_t{1} << f.mantissa_bits),
          .smallest_subnormal = decode(f, is_scale ? 0 : 1),
          .eps = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - f.mantissa_bits) << 52)};
}

// x as the format holds it.
constexpr double rounded(const Format& f, double x, Overflow overflow) {
  return decode(f, encode(f, x, overflow));
}

// The distance between the two numbers of the format that |x| lies between; where it is one of
// them, to the next larger one (above the largest: as below it). NaN past the range, for NaN, and
// for e8m0 below 2^-127.
double spacing(const Format& f, double x);

// The smallest number of the format above x, the largest below x; x need not be in the format.
// Above the largest comes infinity or, where there is none, NaN; above -0 and 0 the smallest
// subnormal. Nothing lies below 2^-127 in e8m0: NaN.
double next_up(const Format& f, double x);
double next_down(const Format& f, double x);

struct NamedFormat {
  std::string_view name;
  std::string_view aliases[4];  // the lecture's, IEEE's or PyTorch's; the rest empty
  Format format;
  std::string_view specification;  // title and address
};

// All nine, from the widest.
std::span<const NamedFormat> all_formats();

// The format of that name, ours or an alias; refuses others with the list of those known.
const NamedFormat& format_named(std::string_view text);

// "e4m3fn"; "e3m2, bias 3" for one that is not in the list.
std::string name(const Format& f);

}  // namespace napkin
