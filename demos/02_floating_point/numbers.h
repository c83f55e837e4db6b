// Numbers as they are typed, and as their bits.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/numeric/format_info.h"

namespace napkin {

// "0.1", "-1e-8", "inf", "nan", "2^-25", "3*2^-26", "0x1.8p3", or the bits of a number of the
// format: "0x7f800001". Rounded once to the format: FP32 and FP64 from the digits, others from the
// FP64 number. Refuses other texts.
double number_from(std::string_view text, const Format& format);

// number_from() for a text of which no format is said: FP64 from the digits, and bits by their
// count: 8 hexadecimal digits are FP32, 16 are FP64. Refuses other counts.
double number_of_any_format(std::string_view text);

// number_from() for each text; a refusal names the flag.
std::vector<double> numbers_from(std::string_view flag, const std::vector<std::string>& texts,
                                 const Format& format);

// The fields of a code as bits: "0", "01111011", "1001...". A scale has no sign, e8m0 no mantissa.
struct Fields {
  std::string sign, exponent, mantissa;
};
Fields fields(const Format& format, std::uint64_t code);

// "0x3dcccccd": as many digits as the format has bits.
std::string hex(const Format& format, std::uint64_t code);

// With every digit: "0.10000000149011612", "1e-8". NaN without its sign.
std::string digits(double x);

// The format of that name; a refusal names the flag.
NamedFormat format_from(std::string_view flag, const std::string& text);

// Whether every BF16 number is the upper half of the same number's FP32 bits.
bool bf16_is_the_upper_half();

// All but e8m0, which holds scales and no numbers.
std::vector<NamedFormat> number_formats();

}  // namespace napkin
