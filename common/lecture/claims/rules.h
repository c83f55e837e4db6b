// The rules that decide whether a number of this machine is the lecture's number.
//
// One function for the demo, which prints the verdict, and for claim_check, which decides it again
// from the numbers in the demo's JSON. NaN passes only where the lecture's value is "nan".
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/lecture/claims/value.h"

namespace napkin::lecture {

enum class Kind : std::uint8_t {
  exact,     // got == value; lists element by element; "inf", "-inf", "nan" are numbers
  digits,    // |got - value| <= tol, tol = half the last digit that the lecture prints
  within,    // |got - value| <= tol |value|
  order,     // value / tol <= got <= value tol
  at_least,  // got >= value
  at_most,   // got <= value
  machine    // the lecture's machine: shown beside this one's, never off
};

enum class Verdict : std::uint8_t { ok, off, shown, skipped, not_checked };

// One entry of claims.json.
struct Claim {
  std::string id;       // "01.strides_3x4"
  std::string section;  // of the lecture: "2.3"
  std::string says;     // the sentence
  Kind kind = Kind::exact;
  std::optional<Value> value;  // null only where the kind is machine
  std::optional<double> tol;   // for digits, within and order
  std::string unit;
  std::string needs;    // "cuda": skipped without a GPU
  std::string hint;     // what to look at when it is off
  bool stated = true;   // the lecture prints the value; else it follows from what it prints
  bool timing = false;  // rests on measured time: checked in release builds only
};

std::string_view name(Kind kind);
std::string_view name(Verdict verdict);
// Nothing where there is no kind, or verdict, of that name.
std::optional<Kind> kind_named(std::string_view text);
std::optional<Verdict> verdict_named(std::string_view text);

// JSON has no infinities and no NaN: they stand there as "inf", "-inf" and "nan".
std::optional<double> special_number(std::string_view text);

// ok, off, or shown.
Verdict decide(const Claim& claim, const Value& got);

}  // namespace napkin::lecture
