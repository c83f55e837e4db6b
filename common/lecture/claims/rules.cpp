#include "common/lecture/claims/rules.h"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

namespace napkin::lecture {
namespace {

constexpr std::array<std::string_view, 7> kinds = {"exact",    "digits",  "within", "order",
                                                   "at_least", "at_most", "machine"};
constexpr std::array<std::string_view, 5> verdicts = {"ok", "off", "shown", "skipped",
                                                      "not checked"};

template <class Enum, std::size_t count>
std::optional<Enum> named(const std::array<std::string_view, count>& names, std::string_view text) {
  for (std::size_t i = 0; i < count; ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

// One element of a value, as the rules see it.
using Item = std::variant<bool, std::int64_t, double, std::string>;

Item item(const std::string& text) {
  if (const auto number = special_number(text)) return *number;
  return text;
}
template <class T>
Item item(T v) {
  return v;
}

struct Items {
  std::vector<Item> all;
  bool is_list;
};

Items items(const Value& value) {
  return std::visit(
      [](const auto& held) {
        using T = std::decay_t<decltype(held)>;
        if constexpr (requires { typename T::value_type; } && !std::is_same_v<T, std::string>) {
          Items list{{}, true};
          for (const auto& v : held) list.all.push_back(item(v));
          return list;
        } else {
          return Items{{item(held)}, false};
        }
      },
      value.holder());
}

bool is_number(const Item& v) {
  return std::holds_alternative<std::int64_t>(v) || std::holds_alternative<double>(v);
}
double number(const Item& v) {
  const auto* whole = std::get_if<std::int64_t>(&v);
  return whole ? static_cast<double>(*whole) : std::get<double>(v);
}
bool is_nan(const Item& v) {
  const auto* d = std::get_if<double>(&v);
  return d && std::isnan(*d);
}

// An integer and a double are the same number, compared without rounding the integer.
bool same_number(std::int64_t whole, double d) {
  return d >= -0x1p63 && d < 0x1p63 && static_cast<double>(static_cast<std::int64_t>(d)) == d &&
         static_cast<std::int64_t>(d) == whole;
}

bool equal(const Item& lecture, const Item& got) {
  if (is_nan(lecture)) return is_nan(got);
  if (lecture.index() == got.index()) return lecture == got;
  if (!is_number(lecture) || !is_number(got)) return false;
  if (const auto* whole = std::get_if<std::int64_t>(&lecture))
    return same_number(*whole, std::get<double>(got));
  return same_number(std::get<std::int64_t>(got), std::get<double>(lecture));
}

// |a - b|; exact for integers, where doubles would lose digits past 2^53.
double distance(const Item& a, const Item& b) {
  const auto* x = std::get_if<std::int64_t>(&a);
  const auto* y = std::get_if<std::int64_t>(&b);
  if (!x || !y) return std::abs(number(a) - number(b));
  const auto ux = static_cast<std::uint64_t>(*x), uy = static_cast<std::uint64_t>(*y);
  return static_cast<double>(*x > *y ? ux - uy : uy - ux);
}

bool at_least(const Item& got, const Item& limit) {
  const auto* x = std::get_if<std::int64_t>(&got);
  const auto* y = std::get_if<std::int64_t>(&limit);
  return x && y ? *x >= *y : number(got) >= number(limit);
}

// Every comparison is written so that a NaN on either side, or as tolerance, is a no.
bool holds(const Claim& claim, const Item& lecture, const Item& got) {
  if (claim.kind == Kind::exact) return equal(lecture, got);
  if (!is_number(lecture) || !is_number(got)) return false;
  if (claim.kind == Kind::at_least) return at_least(got, lecture);
  if (claim.kind == Kind::at_most) return at_least(lecture, got);
  const double tol = claim.tol.value_or(std::numeric_limits<double>::quiet_NaN());
  if (!(tol >= 0) || std::isinf(tol)) return false;
  const double v = number(lecture), g = number(got);
  if (!std::isfinite(v) || !std::isfinite(g)) return equal(lecture, got);
  if (claim.kind == Kind::digits) return distance(lecture, got) <= tol;
  if (claim.kind == Kind::within) return distance(lecture, got) <= tol * std::abs(v);
  return v < 0 ? v * tol <= g && g <= v / tol : v / tol <= g && g <= v * tol;
}

}  // namespace

std::string_view name(Kind kind) { return kinds[static_cast<std::size_t>(kind)]; }
std::string_view name(Verdict verdict) { return verdicts[static_cast<std::size_t>(verdict)]; }
std::optional<Kind> kind_named(std::string_view text) { return named<Kind>(kinds, text); }
std::optional<Verdict> verdict_named(std::string_view text) {
  return named<Verdict>(verdicts, text);
}

std::optional<double> special_number(std::string_view text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

Verdict decide(const Claim& claim, const Value& got) {
  if (claim.kind == Kind::machine) return Verdict::shown;
  if (!claim.value) return Verdict::off;
  const Items lecture = items(*claim.value), here = items(got);
  if (lecture.is_list != here.is_list || lecture.all.size() != here.all.size()) return Verdict::off;
  for (std::size_t i = 0; i < here.all.size(); ++i)
    if (!holds(claim, lecture.all[i], here.all[i])) return Verdict::off;
  return Verdict::ok;
}

}  // namespace napkin::lecture
