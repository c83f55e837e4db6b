#include "demos/02_floating_point/numbers.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "common/core/joined.h"
#include "common/lecture/command_line/flag.h"

namespace napkin {
namespace {

// Digits, "inf", "nan" and hexadecimal fractions; what is too large or small becomes infinity or 0.
template <class Real>
std::optional<double> real(const std::string& text) {
  const bool is_one_word = !text.empty() && text.find_first_of(" \t\n\v\f\r(") == text.npos;
  const bool is_bits =
      text.find_first_of("xX") != text.npos && text.find_first_of("pP") == text.npos;
  if (!is_one_word || is_bits) return std::nullopt;
  char* end = nullptr;
  const double x = std::is_same_v<Real, float>
                       ? static_cast<double>(std::strtof(text.c_str(), &end))
                       : std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() ? std::optional(x) : std::nullopt;
}

// "2^-25", "-2^3", "3*2^-26".
std::optional<double> power(const std::string& text) {
  const std::size_t at = text.find("2^");
  if (at == text.npos) return std::nullopt;
  const std::string front = text.substr(0, at);
  std::optional<double> factor;
  if (front.empty() || front == "-") factor = front.empty() ? 1 : -1;
  if (front.ends_with('*')) factor = real<double>(front.substr(0, front.size() - 1));
  int exponent = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + at + 2, end, exponent);
  if (!factor || error != std::errc() || stop != end) return std::nullopt;
  return std::ldexp(*factor, exponent);
}

// "0x7f800001": the bits of a number.
std::optional<std::uint64_t> pattern(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  std::uint64_t code = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, code, 16);
  return error == std::errc() && stop == end ? std::optional(code) : std::nullopt;
}

std::string binary(std::uint64_t bits, int count) {
  return count > 0 ? fmt::format("{:0{}b}", bits, count) : "";
}

}  // namespace

double number_from(std::string_view given, const Format& format) {
  const std::string text(given);
  if (const auto code = pattern(text)) {
    check(format.bits() == 64 || *code >> format.bits() == 0,
          "\"{}\" has more than the {} bits of {}", text, format.bits(), name(format));
    return decode(format, *code);
  }
  std::optional<double> x = power(text);
  if (!x) x = format == formats::fp32 ? real<float>(text) : real<double>(text);
  if (!x)
    fail("\"{}\" is not a number: write 0.1, 1e-8, inf, nan, 2^-25, 3*2^-26, or bits as {}", text,
         hex(format, encode(format, 1.0, Overflow::to_special)));
  return rounded(format, *x, Overflow::to_special);
}

double number_of_any_format(std::string_view text) {
  if (!pattern(text)) return number_from(text, formats::fp64);
  const std::size_t count = text.size() - 2;  // without 0x
  check(count == 8 || count == 16,
        "\"{}\" are bits of which format? Write 8 hexadecimal digits for fp32, 16 for fp64", text);
  return number_from(text, count == 8 ? formats::fp32 : formats::fp64);
}

std::vector<double> numbers_from(std::string_view flag, const std::vector<std::string>& texts,
                                 const Format& format) {
  std::vector<double> numbers;
  lecture::with_flag(flag, joined(texts, ","), [&] {
    check(!texts.empty(), "give at least one number");
    for (const std::string& text : texts) numbers.push_back(number_from(text, format));
  });
  return numbers;
}

Fields fields(const Format& f, std::uint64_t code) {
  const std::uint64_t magnitude = code & (f.sign() - 1);
  const std::uint64_t mantissa = magnitude & ((std::uint64_t{1} << f.mantissa_bits) - 1);
  const bool has_sign = f.specials != Specials::scale;
  return {has_sign ? ((code & f.sign()) != 0 ? "1" : "0") : "",
          binary(magnitude >> f.mantissa_bits, f.exponent_bits), binary(mantissa, f.mantissa_bits)};
}

std::string hex(const Format& format, std::uint64_t code) {
  return fmt::format("0x{:0{}x}", code, (format.bits() + 3) / 4);
}

std::string digits(double x) {
  if (std::isnan(x)) return "nan";
  std::string text = fmt::format("{}", x);
  const std::size_t e = text.find('e');
  if (e == text.npos) return text;
  return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

NamedFormat format_from(std::string_view flag, const std::string& text) {
  return lecture::with_flag(flag, text, [&] { return format_named(text); });
}

bool bf16_is_the_upper_half() {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const double x = decode(formats::bf16, code);
    if (std::isnan(x)) continue;
    if (encode(formats::fp32, x, Overflow::to_special) != std::uint64_t{code} << 16) return false;
  }
  return true;
}

std::vector<NamedFormat> number_formats() {
  std::vector<NamedFormat> chosen;
  for (const NamedFormat& f : all_formats())
    if (f.format.specials != Specials::scale) chosen.push_back(f);
  return chosen;
}

}  // namespace napkin
