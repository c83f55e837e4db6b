// Adding one small number again and again, in number formats (lecture 3.4).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/numeric/format.h"

namespace napkin {

struct Addition {
  Format term = formats::fp32;  // the format of what is added
  Format sum = formats::fp32;   // of the sum; every sum is rounded to it
  double start = 0, add = 0.01;
  std::int64_t times = 10000;
  bool kahan = false;  // what rounding took from a sum is kept and added to the next term
};

struct Accumulated {
  double sum = 0;
  std::optional<double> stuck_at = {};  // the sum that another addition does not change
  std::int64_t additions = 0;           // that led there
  std::vector<double> x = {}, y = {};   // a curve: the sum after so many additions
};

// Refuses, naming the flag, what is no number of additions.
void check_times(std::string_view flag, std::int64_t times);

// Kahan 1965, https://doi.org/10.1145/363707.363723.
Accumulated accumulate(const Addition& what);

// a + b, rounded once.
double rounded_sum(const Format& format, double a, double b);

struct NamedSum {
  std::string name;  // in the chosen language
  Accumulated result;
  Format format;  // of the sum
};

// What came out, where it stuck and how wide the gaps are there.
void print_sums(const std::vector<NamedSum>& sums);
// Why a sum sticks where it does; nothing where it does not.
void explain(const NamedSum& sum, double added);
// The curves, in the terminal and as accumulation.svg.
void plot_sums(const std::vector<NamedSum>& sums);

}  // namespace napkin
