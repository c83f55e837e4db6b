#include "common/lecture/claims/figures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace napkin::lecture {
namespace {

struct Figure {
  std::string text;   // as it is printed, without commas
  double value = 0;   // in bytes and as a share, where a unit says so
  double within = 0;  // half of its last digit; 0 for whole numbers
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

constexpr std::pair<std::string_view, double> units[] = {
    {" %", 0.01},     {" kB", 1e3},     {" MB", 1e6},     {" GB", 1e9},    {" TB", 1e12},
    {" KiB", 0x1p10}, {" MiB", 0x1p20}, {" GiB", 0x1p30}, {" TiB", 0x1p40}};

// Reads the numbers of a text in turn.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Figure> all() {
    std::vector<Figure> figures;
    while (at_ < text_.size()) {
      const bool inside = at_ > 0 && (is_letter(text_[at_ - 1]) || is_digit(text_[at_ - 1]) ||
                                      text_[at_ - 1] == '.' || text_[at_ - 1] == '^');
      if (inside || !starts_number())
        ++at_;
      else if (text_.substr(at_).starts_with("0x"))
        figures.push_back(code());
      else if (auto figure = number())
        figures.push_back(*std::move(figure));
    }
    return figures;
  }

 private:
  bool starts_number() const {
    const std::size_t digit = at_ + (text_[at_] == '-' ? 1 : 0);
    return digit < text_.size() && is_digit(text_[digit]);
  }

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  Figure code() {
    const std::size_t begin = at_;
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_ + 2, text_.data() + text_.size(), value, 16);
    at_ = static_cast<std::size_t>(end - text_.data());
    return {std::string(text_.substr(begin, at_ - begin)), static_cast<double>(value), 0};
  }

  // Digits with commas between thousands, a fraction, an exponent.
  std::optional<Figure> number() {
    Figure figure;
    if (peek() == '-') take(figure);
    while (is_digit(peek())) {
      take(figure);
      if (peek() == ',' && is_digit(peek(1)) && is_digit(peek(2)) && is_digit(peek(3)) &&
          !is_digit(peek(4)))
        ++at_;
    }
    int decimals = 0;
    const bool fraction = peek() == '.' && is_digit(peek(1));
    if (fraction) {
      take(figure);
      for (; is_digit(peek()); ++decimals) take(figure);
    }
    const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 2 : 1;
    const bool power = peek() == 'e' && is_digit(peek(sign));
    if (power)
      for (std::size_t i = 0; i < sign || is_digit(peek()); ++i) take(figure);
    if (is_letter(peek()) || peek() == '^') return std::nullopt;  // 4x, 2^20
    figure.value = std::stod(figure.text);
    const std::size_t e = figure.text.find('e');
    const int exponent = power ? std::stoi(figure.text.substr(e + 1)) : 0;
    const double last = std::pow(10.0, exponent - decimals);
    double unit = 1;
    for (const auto& [name, size] : units)
      if (text_.substr(at_).starts_with(name)) unit = size;
    figure.value *= unit;
    if (fraction || power || unit != 1) figure.within = 0.5 * last * unit * (1 + 1e-6);
    return figure;
  }

  void take(Figure& figure) { figure.text += text_[at_++]; }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool are_bits(const std::string& text) { return text.find_first_not_of("01") == std::string::npos; }

}  // namespace

std::vector<std::string> unknown_figures(std::string_view page, std::string_view known) {
  std::string apart(known);  // "2,3,4" are three
  std::ranges::replace(apart, ',', ' ');
  const std::vector<Figure> all = Reader(apart).all();
  std::vector<std::string> unknown;
  for (const Figure& figure : Reader(page).all()) {
    const bool found = std::ranges::any_of(all, [&](const Figure& k) {
      return std::abs(k.value - figure.value) <= figure.within ||
             std::abs(k.value) == std::abs(figure.value);
    });
    const bool in_bits = are_bits(figure.text) && known.find(figure.text) != known.npos;
    if (!found && !in_bits) unknown.push_back(figure.text);
  }
  return unknown;
}

}  // namespace napkin::lecture
