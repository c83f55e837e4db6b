#include "common/tensor/random/generator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <locale>
#include <span>
#include <sstream>

#include "common/core/error.h"

namespace napkin {
namespace {

constexpr std::size_t words = std::mt19937::state_size;  // 624
constexpr std::size_t own = 3;                           // numbers before the engine's words
constexpr std::size_t state_size = own + words + 1;

// Refuses an engine state that would give anything but the engine's stream.
void check_engine(std::span<const std::uint64_t> state) {
  for (std::size_t i = 0; i < words; ++i)
    check(state[i] <= 0xffffffff, "generator state: word {} is {}, more than 32 bits", i, state[i]);
  check(state[words] <= words, "generator state: the place {} is not in 0 to {}", state[words],
        words);
  // Of the first word only the top bit counts; with all the rest 0 the engine gives 0 for ever.
  const bool dead = state[0] <= 0x7fffffff &&
                    std::ranges::all_of(state.subspan(1, words - 1), [](auto w) { return w == 0; });
  check(!dead, "generator state: all words are 0");
}

}  // namespace

void Generator::manual_seed(std::uint64_t seed) {
  seed_ = seed;
  engine_.seed(static_cast<std::uint32_t>(seed));
  held_normal.reset();
}

std::vector<std::uint64_t> Generator::state() const {
  std::vector<std::uint64_t> result = {seed_, held_normal ? 1u : 0u,
                                       std::bit_cast<std::uint64_t>(held_normal.value_or(0.0))};
  std::stringstream text;  // the standard's way in and out of an engine
  text.imbue(std::locale::classic());
  text << engine_;
  for (std::uint64_t number = 0; text >> number;) result.push_back(number);
  return result;
}

void Generator::set_state(const std::vector<std::uint64_t>& state) {
  check(state.size() == state_size, "generator state: {} numbers, not {}", state.size(),
        state_size);
  const auto held = std::bit_cast<double>(state[2]);
  check(state[1] <= 1, "generator state: {} values held back, not 0 or 1", state[1]);
  check(std::isfinite(held) && (state[1] == 1 || state[2] == 0),
        "generator state: {} is no value held back", held);
  check_engine(std::span(state).subspan(own));
  std::stringstream text;
  text.imbue(std::locale::classic());
  for (std::size_t i = own; i < state_size; ++i) text << state[i] << ' ';
  text >> engine_;
  seed_ = state[0];
  held_normal = state[1] == 1 ? std::optional(held) : std::nullopt;
}

Generator& default_generator() {
  static Generator generator;
  return generator;
}

void manual_seed(std::uint64_t seed) { default_generator().manual_seed(seed); }

}  // namespace napkin
