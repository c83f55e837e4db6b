#include "demos/02_floating_point/pictures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "common/core/joined.h"
#include "common/core/units.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/numeric/format_info.h"
#include "demos/02_floating_point/numbers.h"
#include "demos/02_floating_point/scales.h"

namespace napkin {
namespace {

using lecture::translated;

// Numbers worth a label: all of a format that has few, else the powers of two, and the last.
bool deserves_label(const Format& f, std::uint64_t code, std::uint64_t last) {
  const std::uint64_t mantissa = code & ((std::uint64_t{1} << f.mantissa_bits) - 1);
  return f.bits() <= 4 || mantissa == 0 || code == last;
}

// What the format makes of a number of that size.
std::string fate(const Format& f, double magnitude) {
  const double kept = rounded(f, magnitude, Overflow::to_special);
  if (kept == 0) return translated("becomes 0");
  if (!std::isfinite(kept)) return translated("becomes infinity");
  return translated(magnitude < info(f).smallest_normal ? "fewer digits" : "kept");
}

// The same for sizes from 2^order to 2^(order + 2), where it may be two things.
std::string fates(const Format& f, int order) {
  const std::string low = fate(f, std::ldexp(1.001, order));
  const std::string high = fate(f, std::ldexp(0.999, order + 2));
  return low == high ? low : low + translated(", ") + high;
}

// Shares by binary order: the values in [2^order, 2^(order + 2)), for odd orders.
std::map<int, double> shares(std::span<const float> values, double scale) {
  std::map<int, double> found;
  for (const float x : values)
    if (const double size = std::abs(x * scale); size > 0 && std::isfinite(size))
      found[static_cast<int>(std::floor((std::ilogb(size) - 1) / 2.0)) * 2 + 1] +=
          1 / static_cast<double>(values.size());
  return found;
}

std::string bar(const std::map<int, double>& shares, int order) {
  const auto found = shares.find(order);
  if (found == shares.end()) return "";
  const auto length = static_cast<std::size_t>(std::lround(found->second * 50));
  return fmt::format("{}{}{:.1f} %", std::string(length, '#'), length > 0 ? " " : "",
                     found->second * 100);
}

}  // namespace

// What the lecture says of a format, its claims named as the lecture names it: fp8_e4m3.
static std::string claims_of(const NamedFormat& f) {
  const std::pair<std::string_view, std::string> in_lecture[] = {
      {"fp32", "fp32"},       {"fp16", "fp16"},     {"bf16", "bf16"},
      {"e4m3fn", "fp8_e4m3"}, {"e5m2", "fp8_e5m2"}, {"e2m1", "fp4_e2m1"}};
  const FormatInfo i = info(f.format);
  for (const auto& [ours, id] : in_lecture)
    if (ours == f.name)
      return lecture::cell_claims(
          {{id + "_bits", std::vector{f.format.exponent_bits, f.format.mantissa_bits}, "mantissa"},
           {id + "_max", i.max, "largest"},
           {id + "_min_normal", i.smallest_normal, "smallest normal"},
           {id + "_eps", i.eps, "spacing at 1"}});
  return {};
}

void print_formats() {
  using lecture::Align;
  lecture::Table table({{"format"},
                        {"bits", Align::right},
                        {"exponent", Align::right},
                        {"mantissa", Align::right},
                        {"largest", Align::right},
                        {"smallest normal", Align::right},
                        {"smallest", Align::right},
                        {"spacing at 1", Align::right},
                        {"lecture"}});
  for (const NamedFormat& f : number_formats()) {
    const FormatInfo i = info(f.format);
    table.row({std::string(f.name), fmt::format("{}", i.bits),
               fmt::format("{}", f.format.exponent_bits), fmt::format("{}", f.format.mantissa_bits),
               significant(i.max, 4), significant(i.smallest_normal, 4),
               significant(i.smallest_subnormal, 3), significant(i.eps, 4), claims_of(f)});
  }
  table.print();
  lecture::cell_claims_below();
}

void print_bits(double x, const std::vector<Format>& formats) {
  lecture::Table table({{"format"}, {"sign"}, {"exponent"}, {"mantissa"}, {"is the number"}});
  for (const Format& f : formats) {
    const std::uint64_t code = encode(f, x, Overflow::to_special);
    const Fields part = fields(f, code);
    table.row({name(f), part.sign, part.exponent, part.mantissa, significant(decode(f, code), 10)});
  }
  table.print();
}

void print_codes(const Format& f) {
  std::vector<lecture::Column> columns = {{"exponent and mantissa"}};
  std::vector<std::string> numbers = {translated("number")};
  for (std::uint64_t code = 0; code < f.sign(); ++code) {
    const Fields part = fields(f, code);
    columns.push_back({part.exponent + part.mantissa, lecture::Align::right});
    numbers.push_back(digits(decode(f, code)));
  }
  lecture::Table table(columns);
  table.row(numbers);
  table.print();
}

void check_added(std::string_view flag, const std::vector<std::int64_t>& added) {
  constexpr std::int64_t most = 1'000'000'000'000'000;
  check(added.size() == 3 && std::ranges::min(added) >= -most && std::ranges::max(added) <= most,
        "{} {}: three whole numbers from -10^15 to 10^15, for example 1,4,5", flag,
        joined(added, ","));
}

void print_nearest(const Format& f, double first, const std::vector<std::int64_t>& added) {
  lecture::Table table({{"sum"}, {"below"}, {"above"}, {"kept"}, {"why"}});
  for (const std::int64_t term : added) {
    const double exact = first + static_cast<double>(term);
    const double sum = rounded(f, exact, Overflow::to_special);
    const double below = exact < sum ? next_down(f, exact) : sum;
    const double above = exact > sum ? next_up(f, exact) : sum;
    const bool tie = exact - below == above - exact && sum != exact;
    const char* why = sum == exact ? "exact"
                      : tie        ? "halfway: the even mantissa"
                                   : "the nearer one";
    table.row({fmt::format("{} + {}", digits(first), term), digits(below), digits(above),
               digits(sum), translated(why)});
  }
  table.print();
}

std::vector<std::string> number_line(const Format& f, double high, int columns) {
  std::string line(static_cast<std::size_t>(columns), '-');
  std::string labels(static_cast<std::size_t>(columns) + 8, ' ');
  const std::uint64_t last = encode(f, high, Overflow::saturate);
  std::size_t free = labels.size();  // labels are written from the right
  for (std::uint64_t code = last + 1; code-- > 0;) {
    const double x = decode(f, code);
    const auto at = static_cast<std::size_t>(std::lround(x / high * (columns - 1)));
    line[at] = line[at] == '-' ? '|' : '#';
    const std::string label = digits(x);
    const bool crowds_0 = code > 0 && at < 2;
    if (!deserves_label(f, code, last) || at + label.size() + 1 > free || crowds_0) continue;
    labels.replace(at, label.size(), label);
    free = at;
  }
  labels.erase(labels.find_last_not_of(' ') + 1);
  return {line, labels};
}

void print_number_line(std::string_view what, const Format& f, double high) {
  lecture::gap();
  lecture::say("{} from 0 to {}:", what, digits(high));
  const int columns = std::min(84, lecture::columns() - lecture::indent - 2);
  for (const std::string& line : number_line(f, high, columns)) lecture::print_line(line);
}

std::vector<float> gradients_of_many_sizes(std::uint64_t seed, std::int64_t count, double size) {
  std::vector<float> values = normal_data(seed, count, size).values;
  const std::vector<float> orders = normal_data(seed + 1, count, 2).values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= std::exp2(orders[i]);
  return values;
}

double share_lost(std::span<const float> values, double scale, const Format& f) {
  const auto lost = std::ranges::count_if(values, [&](float x) {
    const double kept = rounded(f, x * scale, Overflow::to_special);
    return kept == 0 || !std::isfinite(kept);
  });
  return static_cast<double>(lost) / static_cast<double>(values.size());
}

void print_sizes(std::span<const float> values, double scale, const Format& f) {
  const std::map<int, double> before = shares(values, 1), after = shares(values, scale);
  if (before.empty() || after.empty()) return;
  lecture::Table table({{"size"}, {"before scaling"}, {"after scaling"}, {"in this format"}});
  const int first = std::min(before.begin()->first, after.begin()->first);
  const int last = std::max(before.rbegin()->first, after.rbegin()->first);
  for (int order = first; order <= last; order += 2)
    if (before.contains(order) || after.contains(order))
      table.row({fmt::format("2^{} - 2^{}", order, order + 2), bar(before, order),
                 bar(after, order), fates(f, order)});
  table.print();
}

}  // namespace napkin
