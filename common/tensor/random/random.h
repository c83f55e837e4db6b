// Random tensors: std::mt19937 with PyTorch's own draws on top, so that a program here and a
// PyTorch script with the same seed see the same figures.
//
// The bits are those of PyTorch 2.15 on any processor since AVX2, with one exception: normal values
// drawn in groups of 16 (randn and truncated_normal of 16 elements or more, but for fp64) are those
// of its scalar code, within 3e-6 of the vector code. Normal values rest on the C library's log,
// cos and sin (equal bits with glibc 2.36). For cuda the numbers are drawn on the host and copied;
// on meta nothing is drawn. Without a generator the draws come from default_generator(). Bad input
// is refused before anything is drawn; so are the FP8 dtypes, as in PyTorch.
#pragma once
#include <cstdint>

#include "common/tensor/create.h"
#include "common/tensor/random/generator.h"

namespace napkin {

// In [0, 1): multiples of 2^-24 (fp64: 2^-53), rounded to the dtype, 0 where that gives 1.
Tensor rand(const Shape& shape, Options options = {}, Generator& g = default_generator());

// In [low, high), worked out as fma(rand, high - low, low); low where rounding gives high. All low
// where the two are equal.
Tensor uniform(const Shape& shape, double low, double high, Options options = {},
               Generator& g = default_generator());

// Normal, mean 0, standard deviation 1 (Box and Muller 1958). Fewer than 16 are drawn in pairs, of
// which the second is held back for the next such call; 16 and more in groups of 16.
Tensor randn(const Shape& shape, Options options = {}, Generator& g = default_generator());

// Whole numbers in [low, high), of any dtype that holds them. A floating dtype has gaps past
// 2^significand bits: there both ends move inwards by PyTorch's rule and numbers are rounded.
Tensor randint(std::int64_t low, std::int64_t high, const Shape& shape,
               Options options = {.dtype = DType::int64}, Generator& g = default_generator());

// A random order of 0 ... n-1, all of which the dtype must hold.
Tensor randperm(std::int64_t n, Options options = {.dtype = DType::int64},
                Generator& g = default_generator());

// 1 with probability p, else 0: rand < p in FP32. Our own rule; PyTorch's draws may come from
// another generator.
Tensor bernoulli(const Shape& shape, double p, Options options = {},
                 Generator& g = default_generator());

// Normal values within [low, high] (PyTorch's trunc_normal_). Where 30 % of the distribution or
// more lies between: normal values, redrawn all together until each place has one within; else
// uniform ones, kept with the probability of their density. Where less than about 1 in 100 of these
// would be kept (a range beside the mean that goes far out, perhaps to infinity), the values are
// our own: exponential steps into the tail.
Tensor truncated_normal(const Shape& shape, double mean, double std, double low, double high,
                        Options options = {}, Generator& g = default_generator());

}  // namespace napkin
