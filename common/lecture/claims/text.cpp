#include "common/lecture/claims/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

#include "common/core/units.h"
#include "common/lecture/page/language.h"

namespace napkin::lecture {
namespace {

// "1e-08" -> "1e-8": as units.h writes powers of ten.
std::string shortest(double v) {
  std::string text = fmt::format("{}", v);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

// How a double is written.
using Write = std::function<std::string(double)>;

std::string text_of(bool v, const Write&) { return translated(v ? "yes" : "no"); }
std::string text_of(std::int64_t v, const Write&) { return fmt::format("{}", v); }
std::string text_of(double v, const Write& write) { return write(v); }
std::string text_of(const std::string& v, const Write&) { return v; }
template <class T>
std::string text_of(const std::vector<T>& list, const Write& write) {
  std::string text = "(";
  for (std::size_t i = 0; i < list.size(); ++i)
    text += (i > 0 ? ", " : "") + text_of(list[i], write);
  return text + ")";
}
std::string text_of(const Value& value, const Write& write) {
  return std::visit([&](const auto& held) { return text_of(held, write); }, value.holder());
}

// A double as the claim's rule sees it.
std::string rounded(const Claim& claim, double v) {
  const double tol = claim.tol.value_or(0);
  switch (claim.kind) {
    case Kind::exact:
      return shortest(v);
    case Kind::digits: {  // two digits past the lecture's last one
      if (!(tol > 0) || !(std::abs(v) < 1e15)) return shortest(v);
      const int decimals = static_cast<int>(std::ceil(-std::log10(2 * tol) - 1e-9)) + 2;
      return shortest(std::stod(fmt::format("{:.{}f}", v, std::clamp(decimals, 0, 17))));
    }
    case Kind::within: {
      const double digits = tol > 0 ? std::ceil(-std::log10(tol)) + 1 : 17;
      return significant(v, static_cast<int>(std::clamp(digits, 3.0, 17.0)));
    }
    default:
      return short_number(v);
  }
}

std::string with_unit(std::string text, const std::string& unit) {
  return unit.empty() ? text : text + " " + unit;
}

std::string_view comparison(Kind kind) {
  return kind == Kind::at_least  ? ">= "
         : kind == Kind::at_most ? "<= "
         : kind == Kind::order   ? "~ "
                                 : "";
}

}  // namespace

std::string plain_text(const Value& value) { return text_of(value, shortest); }

std::string lecture_text(const Claim& claim) {
  if (!claim.value) return "-";
  const Write short_fraction = [&](double v) { return rounded(claim, v); };
  const bool computed = claim.kind == Kind::within;  // not printed by the lecture: 170.6666...
  return std::string(comparison(claim.kind)) +
         with_unit(text_of(*claim.value, computed ? short_fraction : shortest), claim.unit);
}

std::string got_text(const Claim& claim, const Value& got) {
  const Write short_fraction = [&](double v) { return rounded(claim, v); };
  std::string text = text_of(got, short_fraction);
  const bool bound = claim.kind == Kind::at_least || claim.kind == Kind::at_most;
  // Where rounding could hide why a claim is off, all digits are shown.
  if (decide(claim, got) == Verdict::off &&
      (!bound || !claim.value || text == text_of(*claim.value, short_fraction)))
    text = plain_text(got);
  return with_unit(std::move(text), claim.unit);
}

}  // namespace napkin::lecture
