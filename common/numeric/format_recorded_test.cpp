// The formats against recorded values of ml_dtypes, NumPy and PyTorch (reference/golden.py and
// reference/formats.py), with the differences that format.h lists.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "common/io/safetensors.h"
#include "common/numeric/format.h"
#include "common/numeric/format_info.h"

namespace napkin {
namespace {

const io::SafetensorsFile& formats_file() {
  static const io::SafetensorsFile file(NAPKIN_SOURCE "/reference/golden/formats.safetensors");
  return file;
}
const io::SafetensorsFile& number_formats_file() {
  static const io::SafetensorsFile file(NAPKIN_SOURCE
                                        "/reference/golden/number_formats.safetensors");
  return file;
}

// Codes of 8 or 16 bits.
std::vector<std::uint32_t> codes(const io::StoredTensor& tensor) {
  std::vector<std::uint32_t> result;
  if (tensor.type == "U8")
    for (const std::uint8_t code : io::values<std::uint8_t>(tensor)) result.push_back(code);
  else
    for (const std::uint16_t code : io::values<std::uint16_t>(tensor)) result.push_back(code);
  return result;
}

Format format_of(const std::string& text) {
  if (text == "e2m3") return {2, 3, 1, Specials::none};
  if (text == "e3m2") return {3, 2, 3, Specials::none};
  return format_named(text == "e2m1fn" ? "e2m1" : text == "e8m0fnu" ? "e8m0" : text).format;
}

void expect_codes(const Format& f, const std::vector<float>& input,
                  const std::vector<std::uint32_t>& want, Overflow overflow) {
  ASSERT_EQ(input.size(), want.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const float x = input[i];
    if (std::isnan(x) && f.specials == Specials::none) continue;  // ml_dtypes: a zero
    ASSERT_EQ(encode(f, x, overflow), want[i]) << name(f) << " " << x;
    ASSERT_EQ(encode(f, static_cast<double>(x), overflow), want[i]) << name(f) << " " << x;
  }
}

TEST(RecordedFormats, EveryCodeOfTheSmallFormats) {
  for (const char* which : {"e4m3fn", "e5m2", "e2m1fn", "e8m0fnu"}) {
    const auto want = io::values<float>(formats_file()["decode." + std::string(which)]);
    const Format f = format_of(which);
    ASSERT_EQ(want.size(), 1u << f.bits());
    for (std::uint32_t code = 0; code < want.size(); ++code) {
      const double got = decode(f, code);
      if (std::isnan(want[code])) {
        ASSERT_TRUE(std::isnan(got)) << which << " " << code;
        continue;
      }
      ASSERT_EQ(got, want[code]) << which << " " << code;
      ASSERT_EQ(std::signbit(got), std::signbit(want[code])) << which << " " << code;
    }
  }
}

TEST(RecordedFormats, EveryBf16AndFp16NumberInTheSmallFormats) {
  for (const char* source : {"bf16", "fp16"}) {
    std::vector<float> input;
    for (std::uint64_t code = 0; code < 65536; ++code)
      input.push_back(static_cast<float>(decode(format_of(source), code)));
    for (const std::string which : {"e4m3fn", "e5m2", "e2m1fn"}) {
      const auto want = codes(formats_file()["encode." + std::string(source) + "." + which]);
      expect_codes(format_of(which), input, want, Overflow::to_special);
    }
  }
}

TEST(RecordedFormats, Fp32BesideTiesAndOfRandomBits) {
  const auto input = io::values<float>(formats_file()["encode.fp32.input"]);
  ASSERT_GT(input.size(), 40'000u);
  for (const std::string which : {"bf16", "fp16", "e4m3fn", "e5m2"})
    expect_codes(format_of(which), input, codes(formats_file()["encode.fp32." + which]),
                 Overflow::to_special);
}

// ml_dtypes and PyTorch alike round all of that up, as if 0 stood below 2^-127.
bool rounds_up_there(float x) { return x > 0x1p-127f && x < 0x1.8p-127f; }

TEST(RecordedFormats, EveryTieOfTheSmallFormatsInMlDtypes) {
  const auto input = io::values<float>(number_formats_file()["input"]);
  ASSERT_GT(input.size(), 4000u);
  for (const std::string which : {"e4m3fn", "e5m2", "e2m1", "e2m3", "e3m2", "bf16", "fp16"})
    expect_codes(format_of(which), input, codes(number_formats_file()["ml_dtypes." + which]),
                 Overflow::to_special);
  auto want = codes(number_formats_file()["ml_dtypes.e8m0"]);
  for (std::size_t i = 0; i < input.size(); ++i)
    if (input[i] == 0 || rounds_up_there(input[i])) want[i] = 0;  // 0: there NaN
  expect_codes(formats::e8m0, input, want, Overflow::to_special);
}

TEST(RecordedFormats, EveryTieOfTheSmallFormatsInPyTorch) {
  const auto input = io::values<float>(number_formats_file()["input"]);
  for (const std::string which : {"e4m3fn", "e5m2", "bf16", "fp16", "e8m0"}) {
    const bool saturates = which == "e4m3fn";
    auto want = codes(number_formats_file()["torch." + which]);
    for (std::size_t i = 0; i < input.size() && which == "e8m0"; ++i) {
      if (input[i] < 0) want[i] = 255;  // there the sign is dropped
      if (rounds_up_there(input[i])) want[i] = 0;
    }
    expect_codes(format_of(which), input, want,
                 saturates ? Overflow::saturate : Overflow::to_special);
  }
}

TEST(RecordedFormats, LimitsAreThoseOfFinfo) {
  for (const std::string which :
       {"e4m3fn", "e5m2", "e2m1", "e8m0", "e2m3", "e3m2", "bf16", "fp16"}) {
    const auto want = io::values<double>(number_formats_file()["info." + which]);
    const FormatInfo got = info(format_of(which));
    EXPECT_EQ(got.bits, want[0]) << which;
    EXPECT_EQ(got.max, want[1]) << which;
    EXPECT_EQ(got.smallest_normal, want[2]) << which;
    EXPECT_EQ(got.smallest_subnormal, want[3]) << which;
    EXPECT_EQ(got.eps, want[4]) << which;
  }
}

TEST(RecordedFormats, SpacingAndNeighboursAreThoseOfNumPy) {
  for (const std::string which : {"fp16", "bf16"}) {
    const Format f = format_of(which);
    const auto spacings = io::values<float>(number_formats_file()["spacing." + which]);
    const auto up = io::values<float>(number_formats_file()["up." + which]);
    const auto down = io::values<float>(number_formats_file()["down." + which]);
    ASSERT_GT(up.size(), 4000u);
    for (std::size_t i = 0; i < up.size(); ++i) {
      const double x = decode(f, 7 * i);
      ASSERT_EQ(spacing(f, x), spacings[i]) << which << " " << x;
      ASSERT_EQ(spacing(f, -x), spacings[i]) << which << " " << x;
      ASSERT_EQ(next_up(f, x), up[i]) << which << " " << x;
      ASSERT_EQ(next_down(f, x), down[i]) << which << " " << x;
      ASSERT_EQ(next_down(f, -x), -up[i]) << which << " " << x;
      ASSERT_EQ(next_up(f, -x), x == 0 ? up[i] : -down[i]) << which << " " << x;
    }
  }
}

}  // namespace
}  // namespace napkin
