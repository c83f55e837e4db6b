// Normal values cut to a range, drawn as torch.nn.init.trunc_normal_ does in PyTorch 2.15, but for
// long tails.
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/core/error.h"
#include "common/numeric/dtype.h"
#include "common/tensor/random/draws.h"

namespace napkin {
namespace {

constexpr int most_rounds = 10'000;  // far more than a range that came here ever needs

[[noreturn]] void give_up(const CutNormal& cut) {
  fail(
      "truncated_normal of mean {}, standard deviation {} cut to {} ... {}: after {} rounds "
      "there still are places without a value",
      cut.mean, cut.std, cut.low, cut.high, most_rounds);
}

double normal_below(double x) { return (1 + std::erf(x / std::numbers::sqrt2)) / 2; }

// Whole rounds of normal values, of which each place takes its first one within the range.
template <class T>
void redraw_outside(std::span<T> out, const CutNormal& cut, Generator& g) {
  const auto end = [](double x) {
    return convert<double>(convert<T>(static_cast<WorkType<T>>(x)));
  };
  const double low = end(cut.low), high = end(cut.high);
  const auto outside = [&](T x) { return convert<double>(x) < low || convert<double>(x) > high; };
  draw_normal(out, cut.mean, cut.std, g);
  std::vector<T> fresh;
  for (int round = 0; std::ranges::any_of(out, outside); ++round) {
    if (round == most_rounds) give_up(cut);
    fresh.resize(out.size());
    draw_normal(std::span(fresh), cut.mean, cut.std, g);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (outside(out[i])) out[i] = fresh[i];
  }
}

// log of the density at x over that at the range's best place. Each step is rounded to T, and so
// are the numbers taken off, but not the divisor: what PyTorch's elementwise operations do.
template <class T>
T log_density(T x, const CutNormal& cut, double log_peak) {
  using Work = WorkType<T>;
  const auto rounded = [](Work v) { return convert<Work>(convert<T>(v)); };
  Work v = rounded(convert<Work>(x) - rounded(static_cast<Work>(cut.mean)));
  v = rounded(v / static_cast<Work>(cut.std));
  v = rounded(v * v) * Work(-0.5);
  return convert<T>(v - rounded(static_cast<Work>(log_peak)));
}

// Whole rounds of uniform values, each kept with the probability of its density.
template <class T>
void keep_by_density(std::span<T> out, const CutNormal& cut, Generator& g) {
  using Work = WorkType<T>;
  const double best = (std::max(cut.low, std::min(cut.mean, cut.high)) - cut.mean) / cut.std;
  const double log_peak = -0.5 * best * best;
  std::vector<T> candidates(out.size()), chances(out.size());
  std::vector<bool> pending(out.size(), true);
  for (int round = 0; std::ranges::find(pending, true) != pending.end(); ++round) {
    if (round == most_rounds) give_up(cut);
    draw_uniform(std::span(candidates), cut.low, cut.high, g);
    draw_uniform(std::span(chances), 0, 1, g);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!pending[i]) continue;
      out[i] = candidates[i];
      const T chance = convert<T>(std::log(convert<Work>(chances[i])));
      pending[i] = convert<Work>(chance) > convert<Work>(log_density(candidates[i], cut, log_peak));
    }
  }
}

// A range beside the mean, in standard deviations.
struct Tail {
  double distance, length;
  double rate() const { return (distance + std::hypot(distance, 2)) / 2; }
  // Uniform values in the range would be kept with the density's width, about 1 / rate, over its
  // length: not even one in a hundred.
  bool is_long() const { return distance > 0 && rate() * length > 100; }
};

double nearest_to_mean(const CutNormal& cut) { return std::clamp(cut.mean, cut.low, cut.high); }

Tail tail_of(const CutNormal& cut) {
  return {std::abs(nearest_to_mean(cut) - cut.mean) / cut.std, (cut.high - cut.low) / cut.std};
}

// Exponential steps from the end that is nearer to the mean, kept so that the normal distribution's
// tail comes out (Robert 1995, Simulation of truncated normal variables, section 2.1): three in
// four are, however far out the range begins.
template <class T>
void draw_tail(std::span<T> out, const CutNormal& cut, Generator& g) {
  const Tail tail = tail_of(cut);
  const double rate = tail.rate();
  const double from = nearest_to_mean(cut), outwards = from > cut.mean ? cut.std : -cut.std;
  const auto log_chance = [&] { return std::log1p(-draw_unit<double>(g)); };
  for (T& x : out) {
    double step = 0, off = 0;
    do {
      step = -log_chance() / rate;
      off = step - 1 / rate;
    } while (step > tail.length || log_chance() > -0.5 * off * off);
    x = convert<T>(std::clamp(from + outwards * step, cut.low, cut.high));
  }
}

}  // namespace

template <class T>
void draw_truncated_normal(std::span<T> out, const CutNormal& cut, Generator& g) {
  const double share =
      normal_below((cut.high - cut.mean) / cut.std) - normal_below((cut.low - cut.mean) / cut.std);
  if (share > 0.3) return redraw_outside(out, cut, g);
  if (tail_of(cut).is_long() && std::isfinite(convert<double>(convert<T>(nearest_to_mean(cut)))))
    return draw_tail(out, cut, g);
  for (const double x : {cut.low, cut.high, cut.high - cut.low})
    check(std::isfinite(convert<double>(convert<T>(x))),
          "truncated_normal cut to {} ... {}: less than 30 % of the values lie there, so uniform "
          "ones are drawn, for which {} is past the range of {}",
          cut.low, cut.high, x, name(dtype_of<T>));
  keep_by_density(out, cut, g);
}

template void draw_truncated_normal(std::span<double>, const CutNormal&, Generator&);
template void draw_truncated_normal(std::span<float>, const CutNormal&, Generator&);
template void draw_truncated_normal(std::span<BFloat16>, const CutNormal&, Generator&);
template void draw_truncated_normal(std::span<Float16>, const CutNormal&, Generator&);

}  // namespace napkin
