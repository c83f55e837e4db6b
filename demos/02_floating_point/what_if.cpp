#include "demos/02_floating_point/what_if.h"

#include <algorithm>
#include <cmath>

#include "common/core/units.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/page/table.h"
#include "demos/02_floating_point/accumulate.h"
#include "demos/02_floating_point/numbers.h"

namespace napkin {
namespace {

using lecture::Align;

struct {
  std::string number;
  std::vector<std::string> formats = {"all"}, numbers;
  std::string format, from = "fp32", term = "bf16", sum, add = "0.01";
  bool saturate = false, kahan = false;
  std::int64_t times = 10000;
} in;

std::vector<NamedFormat> chosen_formats() {
  if (in.formats == std::vector<std::string>{"all"})
    return {all_formats().begin(), all_formats().end()};
  std::vector<NamedFormat> chosen;
  for (const std::string& text : in.formats) {
    const NamedFormat format = format_from("--format", text);
    for (const NamedFormat& other : chosen)
      check(other.format != format.format, "--format: {} stands twice", format.name);
    chosen.push_back(format);
  }
  check(!chosen.empty(), "--format \"\": give a format, or all");
  return chosen;
}

// A code as a whole number; as text past 2^63 - 1 (negative numbers in fp64).
lecture::Value as_value(std::uint64_t code) {
  if (code > std::uint64_t{INT64_MAX}) return fmt::format("{}", code);
  return static_cast<std::int64_t>(code);
}
lecture::Value as_value(const std::vector<std::uint64_t>& codes) {
  std::vector<std::int64_t> whole;
  std::vector<std::string> texts;
  for (const std::uint64_t code : codes) {
    texts.push_back(fmt::format("{}", code));
    if (code <= std::uint64_t{INT64_MAX}) whole.push_back(static_cast<std::int64_t>(code));
  }
  if (whole.size() == codes.size()) return whole;
  return texts;
}

void report(const NamedFormat& f, double x, std::uint64_t code) {
  const double kept = decode(f.format, code);
  const auto value = [&](std::string_view what, lecture::Value got) {
    lecture::value(fmt::format("{}{}", f.name, what), std::move(got));
  };
  const Fields part = fields(f.format, code);
  value("", kept);
  value("_code", as_value(code));
  value("_bits", part.sign + part.exponent + part.mantissa);
  value("_error", kept - x);
  value("_below", next_down(f.format, kept));
  value("_above", next_up(f.format, kept));
  value("_spacing", spacing(f.format, kept));
}

void say_where_nan_goes(const NamedFormat& f) {
  if (f.format.specials == Specials::none)
    lecture::say("{} has no NaN: it becomes {}.", f.name,
                 digits(rounded(f.format, NAN, Overflow::to_special)));
}

// Eight digits; of a neighbour that they do not tell from what is kept, how far it is from there.
// NaN has none, nor has the largest number of a format without infinity one above.
std::string beside(double neighbour, double kept) {
  if (std::isnan(neighbour)) return "-";
  const std::string text = significant(neighbour, 8), here = significant(kept, 8);
  if (text != here || neighbour == kept) return text;
  const char sign = neighbour < kept ? '-' : '+';
  return fmt::format("{} {} {}", here, sign, significant(std::abs(neighbour - kept), 2));
}

void show() {
  const double x =
      lecture::with_flag("number", in.number, [&] { return number_of_any_format(in.number); });
  const std::vector<NamedFormat> chosen = chosen_formats();
  lecture::Table bits({{"format"}, {"sign, exponent, mantissa"}});
  lecture::Table numbers(
      {{"format"}, {"code"}, {"kept"}, {"error"}, {"below"}, {"above"}, {"spacing"}});
  for (const NamedFormat& f : chosen) {
    const std::uint64_t code = encode(f.format, x, Overflow::to_special);
    const double kept = decode(f.format, code);
    const double apart = spacing(f.format, kept);
    const Fields part = fields(f.format, code);
    bits.row(
        {std::string(f.name), fmt::format("{:1} {} {}", part.sign, part.exponent, part.mantissa)});
    numbers.row({std::string(f.name), hex(f.format, code), significant(kept, 8),
                 std::isnan(kept - x) ? "-" : significant(kept - x, 3),
                 beside(next_down(f.format, kept), kept), beside(next_up(f.format, kept), kept),
                 std::isnan(apart) ? "-" : significant(apart, 3)});
    report(f, x, code);
  }
  bits.print();
  lecture::gap();
  numbers.print();
  for (const NamedFormat& f : chosen)
    if (std::isnan(x)) say_where_nan_goes(f);
}

void encode_numbers() {
  const NamedFormat to = format_from("--format", in.format);
  const NamedFormat from = format_from("--from", in.from);
  const std::vector<double> numbers = numbers_from("number", in.numbers, from.format);
  const Overflow overflow = in.saturate ? Overflow::saturate : Overflow::to_special;
  lecture::Table table(
      {{"given"}, {"number"}, {"code"}, {"sign"}, {"exponent"}, {"mantissa"}, {"decoded"}});
  std::vector<std::uint64_t> codes;
  std::vector<double> decoded;
  std::vector<std::string> bits;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    codes.push_back(encode(to.format, numbers[i], overflow));
    decoded.push_back(decode(to.format, codes.back()));
    const Fields part = fields(to.format, codes.back());
    bits.push_back(part.sign + part.exponent + part.mantissa);
    table.row({in.numbers[i], digits(numbers[i]), hex(to.format, codes.back()), part.sign,
               part.exponent, part.mantissa, digits(decoded.back())});
  }
  lecture::say("{} to {}, nearest, ties to even; past the largest, {}: {}", from.name, to.name,
               digits(info(to.format).max),
               in.saturate ? lecture::translated("the largest")
                           : digits(decode(to.format, overflow_code(to.format, overflow))));
  table.print();
  if (std::ranges::any_of(numbers, [](double x) { return std::isnan(x); })) say_where_nan_goes(to);
  lecture::value("numbers", numbers);
  lecture::value("codes", as_value(codes));
  lecture::value("decoded", decoded);
  lecture::value("bits", bits);
  lecture::value("largest", info(to.format).max);
}

Format format_of_numbers(std::string_view flag, const std::string& text) {
  const NamedFormat f = format_from(flag, text);
  check(f.format.specials != Specials::scale, "{} {}: it holds scales, and no 0 to begin with",
        flag, text);
  return f.format;
}

void accumulate_numbers() {
  Addition what{.kahan = in.kahan};
  what.term = format_of_numbers("--format", in.term);
  what.sum = lecture::was_given("--sum") ? format_of_numbers("--sum", in.sum) : what.term;
  what.times = in.times;
  check_times("--times", in.times);
  what.add = lecture::with_flag("--add", in.add, [&] { return number_of_any_format(in.add); });
  check(std::isfinite(what.add), "--add {}: a finite number", in.add);
  const Accumulated result = accumulate(what);

  const std::string label = fmt::format("{}{}", name(what.sum), in.kahan ? " Kahan" : "");
  lecture::say("{} as {}: {}", in.add, name(what.term),
               digits(rounded(what.term, what.add, Overflow::to_special)));
  print_sums({{label, result, what.sum}});
  explain({label, result, what.sum}, rounded(what.term, what.add, Overflow::to_special));
  lecture::value("sum", result.sum);
  if (result.stuck_at) lecture::value("stuck_at", *result.stuck_at);
  if (result.stuck_at) lecture::value("stuck_after", result.additions);
  const double gap = spacing(what.sum, result.stuck_at.value_or(result.sum));
  lecture::value("term", rounded(what.term, what.add, Overflow::to_special));
  lecture::value("spacing", gap);
  lecture::value("half_spacing", gap / 2);
}

}  // namespace

void add_show_command(lecture::Demo& demo) {
  demo.command("show", "a number in every format: bits, value kept, neighbours", show)
      .required("number", in.number,
                "for example 0.1, 2^-25, inf or 0x3f800000 (fp32's bits); negative ones after --")
      .input("--format", in.formats, "only these formats");
}

void add_encode_command(lecture::Demo& demo) {
  demo.command("encode", "the codes of numbers", encode_numbers)
      .required("--format", in.format, "the format to encode in")
      .required("number", in.numbers, "numbers, or bits as 0x7f800001; negative ones after --")
      .input("--saturate", in.saturate, "past the largest: the largest, not infinity or NaN")
      .input("--from", in.from, "the format that the numbers come in");
}

void add_accumulate_command(lecture::Demo& demo) {
  demo.command("accumulate", "a number added again and again, from 0", accumulate_numbers)
      .input("--add", in.add, "what is added")
      .input("--times", in.times, "how often")
      .input("--format", in.term, "format of what is added")
      .input("--sum", in.sum, "format of the sum (default: the same)")
      .input("--kahan", in.kahan, "keep what rounding takes from each sum");
}

}  // namespace napkin
