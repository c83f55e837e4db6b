// Generator: a stream of random bits that can be seeded, saved and restored.
//
// The engine is std::mt19937 (Matsumoto and Nishimura 1998), as in PyTorch: the standard fixes its
// output. The standard library's distributions are not fixed and are not used; random.h has the
// draws. One generator serves one thread at a time.
#pragma once
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace napkin {

class Generator {
 public:
  static constexpr std::uint64_t default_seed = 67280421310721;  // that of a torch.Generator
  explicit Generator(std::uint64_t seed = default_seed) { manual_seed(seed); }

  // Starts the stream of that seed and forgets a value held back. The engine takes the low 32 bits,
  // as in PyTorch, so seeds that agree there give the same stream; -1 is 2^64 - 1.
  void manual_seed(std::uint64_t seed);
  std::uint64_t initial_seed() const { return seed_; }

  // The engine's next 32 bits, and the next 64: (first << 32) | second.
  std::uint32_t random() { return static_cast<std::uint32_t>(engine_()); }
  std::uint64_t random64() {
    const std::uint64_t first = random();
    return first << 32 | random();
  }

  // The second normal value of a pair, held back for the next single draw.
  std::optional<double> held_normal;

  // All that decides the next draws, as numbers that survive a file: the seed, whether a normal
  // value is held back, its bits, the engine's words and its place among them.
  std::vector<std::uint64_t> state() const;
  // Goes on where a generator of that state stood. Refuses what no generator gives, unchanged.
  void set_state(const std::vector<std::uint64_t>& state);

 private:
  std::uint64_t seed_ = default_seed;
  std::mt19937 engine_;
};

// The generator of all draws that name none. It begins with default_seed in every program, where
// PyTorch's begins with a seed of its own each time.
Generator& default_generator();
void manual_seed(std::uint64_t seed);  // of the default generator

}  // namespace napkin
