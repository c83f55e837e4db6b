// Random numbers: std::mt19937 with PyTorch's own draws on top, so that a program here and a
// PyTorch script with the same seed see the same figures (PyTorch's scalar code; its vector code
// is within 3e-6 of randn).
//
// Without a generator the draws come from default_generator(), which manual_seed seeds.
#pragma once
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "common/tensor/create.h"

namespace napkin {

// A stream of random numbers. Draws made one after the other equal PyTorch's.
class Generator {
 public:
  static constexpr std::uint64_t default_seed = 67280421310721;  // PyTorch's
  explicit Generator(std::uint64_t seed = default_seed);

  void manual_seed(std::uint64_t seed);
  std::uint64_t initial_seed() const { return seed_; }

  std::uint32_t random();    // the engine's next 32 bits
  std::uint64_t random64();  // two of them: (first << 32) | second

  // The second normal value of a pair, held back for the next single draw.
  std::optional<double> held_normal;

  // Everything that decides the next draws, as numbers that survive a file.
  std::vector<std::uint64_t> state() const;
  void set_state(const std::vector<std::uint64_t>& state);  // refuses what state() cannot give

 private:
  std::uint64_t seed_;
  std::mt19937 engine_;
};

Generator& default_generator();
void manual_seed(std::uint64_t seed);

Tensor rand(const Shape& shape, Options options = {}, Generator& g = default_generator());
Tensor randn(const Shape& shape, Options options = {}, Generator& g = default_generator());
// Integers in [low, high).
Tensor randint(std::int64_t low, std::int64_t high, const Shape& shape,
               Options options = {.dtype = DType::int64}, Generator& g = default_generator());
// A random order of 0 ... n-1.
Tensor randperm(std::int64_t n, Options options = {.dtype = DType::int64},
                Generator& g = default_generator());
// In [low, high).
Tensor uniform(const Shape& shape, double low, double high, Options options = {},
               Generator& g = default_generator());
// 1 with probability p, else 0: rand < p, our own rule.
Tensor bernoulli(const Shape& shape, double p, Options options = {},
                 Generator& g = default_generator());
// mean + std z, z normal and redrawn until mean + std z lies in [low, high] (PyTorch's
// trunc_normal_).
Tensor truncated_normal(const Shape& shape, double mean, double std, double low, double high,
                        Options options = {}, Generator& g = default_generator());

}  // namespace napkin
