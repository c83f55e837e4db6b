#include "demos/02_floating_point/accumulate.h"

#include <bit>
#include <cmath>

#include "common/core/units.h"
#include "common/lecture/page/plot.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/numeric/format_info.h"
#include "demos/02_floating_point/numbers.h"

namespace napkin {
namespace {

constexpr std::int64_t points = 200;  // of a curve

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

void check_times(std::string_view flag, std::int64_t times) {
  check(times >= 0 && times <= 100'000'000, "{} {}: a number of additions is 0 to 100,000,000",
        flag, times);
}

double rounded_sum(const Format& f, double a, double b) {
  double sum = a + b;
  if (f == formats::fp64) return sum;
  // What FP64 lost (Knuth's TwoSum). Where it lost something, the last bit is set: rounding to
  // fewer bits then goes the way of the exact sum.
  const double of_b = sum - a, lost = (a - (sum - of_b)) + (b - of_b);
  if (std::isfinite(lost) && lost != 0) {
    const bool even = (std::bit_cast<std::uint64_t>(sum) & 1) == 0;
    if (even) sum = std::nextafter(sum, lost > 0 ? HUGE_VAL : -HUGE_VAL);
  }
  return rounded(f, sum, Overflow::to_special);
}

Accumulated accumulate(const Addition& what) {
  const double term = rounded(what.term, what.add, Overflow::to_special);
  Accumulated result{.sum = rounded(what.sum, what.start, Overflow::to_special)};
  double lost = 0;
  for (std::int64_t i = 0, point = 0; point <= points; ++i) {
    for (; point <= points && i >= point * what.times / points; ++point) {
      result.x.push_back(static_cast<double>(i));
      result.y.push_back(result.sum);
    }
    if (i == what.times) break;
    const double y = rounded_sum(what.sum, term, -lost);
    const double next = rounded_sum(what.sum, result.sum, what.kahan ? y : term);
    if (what.kahan) lost = rounded_sum(what.sum, rounded_sum(what.sum, next, -result.sum), -y);
    if (!what.kahan && is_same(next, result.sum)) {  // and so it stays
      result.stuck_at = result.sum;
      result.additions = i;
      for (; point <= points; ++point) {
        result.x.push_back(static_cast<double>(point * what.times / points));
        result.y.push_back(result.sum);
      }
    }
    result.sum = next;
  }
  return result;
}

void print_sums(const std::vector<NamedSum>& sums) {
  using lecture::Align;
  lecture::Table table({{"sum"},
                        {"result", Align::decimal},
                        {"sticks at", Align::decimal},
                        {"after", Align::right},
                        {"spacing there", Align::decimal},
                        {"half of it", Align::decimal}});
  for (const auto& [label, r, format] : sums) {
    const double gap = spacing(format, r.stuck_at.value_or(r.sum));
    table.row({label, significant(r.sum, 9), r.stuck_at ? digits(*r.stuck_at) : "-",
               r.stuck_at ? with_commas(r.additions) : "-", significant(gap, 4),
               significant(gap / 2, 4)});
  }
  table.print();
}

void explain(const NamedSum& sum, double added) {
  if (!sum.result.stuck_at || !std::isfinite(*sum.result.stuck_at)) return;
  if (sum.format.specials == Specials::none &&
      std::abs(*sum.result.stuck_at) == info(sum.format).max) {
    lecture::say("{} sticks at {}: the largest number of {}, which has no infinity.", sum.name,
                 digits(*sum.result.stuck_at), name(sum.format));
    return;
  }
  const double gap = spacing(sum.format, *sum.result.stuck_at);
  lecture::say("{} sticks at {}: numbers there are {} apart, and {} is no more than half of that.",
               sum.name, digits(*sum.result.stuck_at), digits(gap), digits(std::abs(added)));
}

// Every point for the picture; on the terminal curves take turns, so that none hides another.
void plot_sums(const std::vector<NamedSum>& sums) {
  lecture::Plot plot{.title = "The sum after so many additions",
                     .x_label = "additions",
                     .y_label = "sum",
                     .series = {}};
  for (const NamedSum& s : sums) plot.series.push_back({s.name, s.result.x, s.result.y});
  lecture::Plot turns = plot;
  for (std::size_t s = 0; s < sums.size(); ++s)
    for (std::size_t i = 0; i < turns.series[s].x.size(); ++i)
      if (i / 3 % sums.size() != s) turns.series[s].x[i] = std::nan("");
  turns.print();
  plot.save("accumulation");
}

}  // namespace napkin
