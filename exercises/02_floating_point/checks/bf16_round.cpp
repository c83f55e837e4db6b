// Checks of exercise 02.1; the answer is in my/02_floating_point/bf16_round.h.
#include <fmt/format.h>

#include <bit>
#include <random>

#include "common/numeric/small_float.h"
#include "exercises/grading/check.h"
#include "my/02_floating_point/bf16_round.h"

using namespace napkin;

// All NaN are equal; 0 and -0 are not.
struct Bf16Bits {
  std::uint16_t bits;
  bool is_nan() const { return (bits & 0x7FFF) > 0x7F80; }
  friend bool operator==(Bf16Bits a, Bf16Bits b) {
    return a.bits == b.bits || (a.is_nan() && b.is_nan());
  }
};

static std::string text_of(Bf16Bits x) {
  return fmt::format("{} ({})", exercises::text_of(exercises::Bits{x.bits}),
                     exercises::text_of(static_cast<float>(BFloat16::from_bits(x.bits))));
}

static Bf16Bits right_for(std::uint32_t bits) {
  return {BFloat16(std::bit_cast<float>(bits)).bits};
}

static void compare(exercises::Checks& checks, std::uint32_t bits) {
  const auto upper = [](std::uint32_t sum) {
    return Bf16Bits{static_cast<std::uint16_t>(sum >> 16)};
  };
  const Bf16Bits right = right_for(bits), cut = upper(bits), away = upper(bits + 0x8000);
  const Bf16Bits even = upper(bits + 0x7FFF + (bits >> 16 & 1));
  std::vector<exercises::Wrong<Bf16Bits>> mistakes = {{"truncated", cut}, {"ties_away", away}};
  if (right.is_nan()) {
    // Who rounds wrongly may have dealt with NaN or not; who has not, gets both kinds wrong.
    mistakes.insert(mistakes.end(), {{"truncated", right},
                                     {"ties_away", right},
                                     {"nan_to_infinity", cut},
                                     {"nan_to_infinity", even},
                                     {"nan_to_infinity", away}});
    if (cut.is_nan()) mistakes.insert(mistakes.end(), {{"nan_wraps", even}, {"nan_wraps", away}});
  }
  const auto x = std::bit_cast<float>(bits);
  checks.equal(
      fmt::format("x = {}, bits 0x{:08X}", exercises::text_of(x), bits),
      [&] { return Bf16Bits{my::bf16_round(x)}; }, right, mistakes);
}

// The first number with this lower half that the answer gets wrong; where it gets all of them right
// (or throws), the last one tried.
static std::uint32_t first_wrong(std::uint32_t lower_half) {
  std::uint32_t bits = lower_half;
  try {
    for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
      bits = upper << 16 | lower_half;
      if (!(Bf16Bits{my::bf16_round(std::bit_cast<float>(bits))} == right_for(bits))) break;
    }
  } catch (...) {  // reported by the check of these bits
  }
  return bits;
}

void grade(exercises::Checks& checks) {
  for (const float x : {1025.0f, 1028.0f, 1029.0f, 70000.0f, 1e-8f, 1.001f})  // lecture 3.3
    compare(checks, std::bit_cast<std::uint32_t>(x));
  const std::uint32_t numbers[] = {
      0x00000000, 0x80000000, 0x3F800000, 0xC1280000, 0x3F808000,  // zeros, exact numbers, a tie
      0x3F818000, 0xBF818000, 0x3F808001, 0x3F807FFF, 0x44848000,  // ties and their neighbours
      0x3FFF8000, 0x3FFFFFFF, 0x4F7F8000, 0x7F7F7FFF, 0x7F7F8000,  // carries, the largest numbers
      0x7F7FFFFF, 0xFF7F8000, 0x7F800000, 0xFF800000, 0x00000001,  // infinity, subnormal numbers
      0x00008000, 0x00008001, 0x00018000, 0x807FC000, 0x007F8000};
  for (const std::uint32_t bits : numbers) compare(checks, bits);
  for (const std::uint32_t nan : {0x7FC00000u, 0x7F800001u, 0xFF800001u, 0x7F800080u, 0xFF807FFFu,
                                  0x7F808000u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0x7FFF8000u})
    compare(checks, nan);
  std::mt19937 random(21);
  for (int i = 0; i < 16; ++i) compare(checks, static_cast<std::uint32_t>(random()));
  for (const std::uint32_t lower : {0x0000u, 0x0001u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu})
    compare(checks, first_wrong(lower));
}
