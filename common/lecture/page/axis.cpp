#include "common/lecture/page/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace napkin::lecture {
namespace {

constexpr double wanted_ticks = 5;

// The smallest of 1, 2, 5, 10, ... times a power of ten that is not below v.
double round_step(double v) {
  const double power = std::pow(10, std::floor(std::log10(v)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= v) return factor * power;
  return 10 * power;
}

}  // namespace

Axis::Axis(const std::vector<const std::vector<double>*>& values, bool logarithmic)
    : logarithmic_(logarithmic),
      low_(std::numeric_limits<double>::infinity()),
      high_(-std::numeric_limits<double>::infinity()) {
  for (const auto* list : values)
    for (const double v : *list)
      if (can_draw(v)) {
        low_ = std::min(low_, v);
        high_ = std::max(high_, v);
      }
  if (low_ > high_) {
    low_ = logarithmic ? 1 : 0;
    high_ = logarithmic ? 10 : 1;
  } else if (low_ == high_) {
    const double room = low_ == 0 ? 1 : std::abs(low_) / 2;
    low_ -= room;
    high_ += room;
  }
}

bool Axis::can_draw(double v) const { return std::isfinite(v) && (!logarithmic_ || v > 0); }

double Axis::place(double v) const {
  if (logarithmic_) return (std::log(v) - std::log(low_)) / (std::log(high_) - std::log(low_));
  return (v / 2 - low_ / 2) / (high_ / 2 - low_ / 2);  // halves: high - low may overflow
}

std::vector<double> Axis::ticks() const {
  std::vector<double> found;
  if (logarithmic_) {
    const double first = std::ceil(std::log10(low_) - 1e-9),
                 last = std::floor(std::log10(high_) + 1e-9);
    const double step = std::max(1.0, std::ceil((last - first) / wanted_ticks));
    for (double e = first; e <= last; e += step) found.push_back(std::pow(10, e));
    if (found.size() < 2) found = {low_, high_};
    return found;
  }
  const double step = round_step((high_ / wanted_ticks - low_ / wanted_ticks));
  const double slack = step * 1e-9;
  for (double i = std::ceil((low_ - slack) / step); i * step <= high_ + slack; ++i)
    found.push_back(i * step);
  return found;
}

}  // namespace napkin::lecture
