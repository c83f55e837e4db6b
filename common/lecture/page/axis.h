// Axes of a plot: which values can be drawn, where they stand, and which ticks are round numbers.
#pragma once
#include <vector>

namespace napkin::lecture {

class Axis {
 public:
  // Over the finite values (on a logarithmic axis, the positive ones); 0 to 1, or 1 to 10, where
  // there is none. A single value gets room on both sides.
  Axis(const std::vector<const std::vector<double>*>& values, bool logarithmic);

  bool can_draw(double v) const;
  double low() const { return low_; }
  double high() const { return high_; }
  double place(double v) const;       // 0 at low(), 1 at high()
  std::vector<double> ticks() const;  // within [low, high]: 1, 2 or 5 times powers of ten; decades

 private:
  bool logarithmic_;
  double low_, high_;
};

}  // namespace napkin::lecture
