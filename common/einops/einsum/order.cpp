// In which order pairs are contracted. Axes and terms are bits of a number.
#include <algorithm>
#include <bit>
#include <limits>

#include "common/einops/einsum/plan.h"

namespace napkin::einops {
namespace {

using Bits = std::uint64_t;
constexpr int most_for_best = 8;  // operands; 3^8 splits are looked at

struct Cost {
  double flops = 0;
  double elements = 0;  // of the results in between
  Cost operator+(const Cost& o) const { return {flops + o.flops, elements + o.elements}; }
  bool operator<(const Cost& o) const {
    return flops != o.flops ? flops < o.flops : elements < o.elements;
  }
};
constexpr Cost no_cost{std::numeric_limits<double>::infinity(), 0};

Bits bits_of(const AxisList& axes) {
  Bits bits = 0;
  for (const std::int64_t axis : axes) bits |= Bits{1} << axis;
  return bits;
}

class Order {
 public:
  explicit Order(SumOfProducts& plan) : plan_(plan), result_(bits_of(plan.result)) {
    for (const AxisList& axes : plan.terms) terms_.push_back(bits_of(axes));
  }

  void choose() {
    const int count = static_cast<int>(terms_.size());
    if (count > most_for_best) return choose_greedily();
    const std::size_t all = (std::size_t{1} << count) - 1;
    best_.assign(all + 1, no_cost);
    split_.assign(all + 1, 0);
    for (std::size_t set = 1; set <= all; ++set) find_best(set);
    build(all);
  }

 private:
  double elements(Bits axes) const {
    double n = 1;
    for (; axes != 0; axes &= axes - 1)
      n *= static_cast<double>(plan_.sizes[static_cast<std::size_t>(std::countr_zero(axes))]);
    return n;
  }
  double flops(Bits a, Bits b, Bits kept) const {
    return elements(a | b) * ((a | b) == kept ? 1 : 2);
  }

  // The axes of a set of operands once they are one term.
  Bits axes_of(std::size_t set) const {
    Bits inside = 0, outside = result_;
    for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
      if (set >> i & 1)
        inside |= terms_[i];
      else
        outside |= terms_[i];
    }
    return inside & outside;
  }

  void find_best(std::size_t set) {
    if (std::has_single_bit(set)) {
      best_[set] = {};
      return;
    }
    const Bits kept = axes_of(set);
    for (std::size_t b = (set - 1) & set; b != 0; b = (b - 1) & set) {
      const std::size_t a = set ^ b;
      if (std::countr_zero(a) > std::countr_zero(b)) continue;  // the same pair the other way round
      const Cost cost =
          best_[a] + best_[b] + Cost{flops(axes_of(a), axes_of(b), kept), elements(kept)};
      if (cost < best_[set]) {
        best_[set] = cost;
        split_[set] = a;
      }
    }
    if (split_[set] == 0) split_[set] = set & ~(set - 1);  // costs beyond counting
  }

  int build(std::size_t set) {
    if (std::has_single_bit(set)) return std::countr_zero(set);
    const int a = build(split_[set]), b = build(set ^ split_[set]);
    return add(a, b, axes_of(set));
  }

  void choose_greedily() {
    std::vector<int> left(terms_.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i);
    while (left.size() > 1) {
      Cost best = no_cost;
      std::size_t x = 0, y = 1;
      for (std::size_t i = 0; i < left.size(); ++i)
        for (std::size_t j = i + 1; j < left.size(); ++j) {
          const Bits a = term(left[i]), b = term(left[j]), kept = kept_without(left, i, j);
          // A result larger than its operands makes all that follows dearer.
          const Cost cost{flops(a, b, kept), elements(kept) - elements(a) - elements(b)};
          if (cost < best) best = cost, x = i, y = j;
        }
      const int made = add(left[x], left[y], kept_without(left, x, y));
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(y));
      left[x] = made;
    }
  }
  Bits term(int i) const { return terms_[static_cast<std::size_t>(i)]; }
  Bits kept_without(const std::vector<int>& left, std::size_t i, std::size_t j) const {
    Bits needed = result_;
    for (std::size_t k = 0; k < left.size(); ++k)
      if (k != i && k != j) needed |= term(left[k]);
    return (term(left[i]) | term(left[j])) & needed;
  }

  // In the order of the result, then the others by number.
  AxisList listed(Bits axes) const {
    AxisList list;
    for (const std::int64_t axis : plan_.result)
      if (axes >> axis & 1) list.push_back(axis);
    for (Bits rest = axes & ~result_; rest != 0; rest &= rest - 1)
      list.push_back(std::countr_zero(rest));
    return list;
  }

  int add(int first, int second, Bits kept) {
    const auto only = [&](int i, int j) { return listed(term(i) & ~term(j) & kept); };
    check(std::popcount(kept) <= max_rank, "a product in between has {} axes; at most {} can be",
          std::popcount(kept), max_rank);
    // The one whose axes come first in the result is on the left, so that its rows are too.
    const AxisList outer = listed((term(first) ^ term(second)) & kept);
    const bool last = plan_.steps.size() + 2 == plan_.operands.size();
    if (last && !outer.empty() && (term(second) >> outer[0] & 1)) std::swap(first, second);
    const Bits both = term(first) & term(second);
    plan_.steps.push_back({first,
                           second,
                           listed(both & kept),
                           only(first, second),
                           only(second, first),
                           listed(both & ~kept),
                           flops(term(first), term(second), kept),
                           {}});
    terms_.push_back(kept);
    return static_cast<int>(terms_.size()) - 1;
  }

  SumOfProducts& plan_;
  Bits result_;
  std::vector<Bits> terms_;  // the axes of operands and of the steps' results
  std::vector<Cost> best_;
  std::vector<std::size_t> split_;
};

}  // namespace

void choose_order(SumOfProducts& plan) { Order(plan).choose(); }

}  // namespace napkin::einops
