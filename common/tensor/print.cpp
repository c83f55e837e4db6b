// Printing: the rules of PyTorch 2's print, with its default settings and our words for dtypes.
//
// All numbers of a tensor are written in one style. Floating numbers have 4 decimals; all of them
// are in scientific notation where the largest is over 1e8 or over 1000 times the smallest, or the
// smallest under 1e-4 (zeros, infinities and NaN do not count); where all are whole numbers they
// are written as "3.".
#include "common/tensor/print.h"

#include "common/core/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace napkin {
namespace {

constexpr std::int64_t summary_threshold = 1000;  // more elements than this are summarised ...
constexpr std::int64_t edge = 3;                  // ... to so many at each end of a dimension
constexpr std::size_t line_width = 80;
constexpr std::int64_t most_shown = 100'000;  // beyond it the elements are left out, as on meta

struct Style {
  bool floating = false;
  bool whole = true;
  bool scientific = false;
  std::size_t width = 1;
};

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string unpadded_text(const Scalar& value, const Style& style) {
  if (!style.floating) return to_string(value);
  const double x = value.to_double();
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  if (style.scientific) return fmt::format("{:.4e}", x);
  return style.whole ? fmt::format("{:.0f}.", x) : fmt::format("{:.4f}", x);
}

Style style_of(const std::vector<Scalar>& values, DType dtype) {
  Style style{.floating = is_floating(dtype)};
  const auto counts = [&](const Scalar& v) {
    return !style.floating || (std::isfinite(v.to_double()) && v.to_double() != 0);
  };
  if (style.floating) {
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
    for (const Scalar& v : values) {
      if (!counts(v)) continue;
      const double size = std::abs(v.to_double());
      smallest = std::min(smallest, size);
      largest = std::max(largest, size);
      style.whole = style.whole && size == std::trunc(size);
    }
    style.scientific =
        largest > 0 && (largest / smallest > 1000.0 || largest > 1.0e8 || smallest < 1.0e-4);
  }
  for (const Scalar& v : values)
    if (counts(v)) style.width = std::max(style.width, unpadded_text(v, style).size());
  return style;
}

class Printer {
 public:
  explicit Printer(const Tensor& x) : summarise_(x.numel() > summary_threshold) {
    std::vector<Scalar> values;
    collect(x, values);
    style_ = style_of(values, x.dtype());
  }

  // The elements in nested brackets; indent is the column of the opening one.
  std::string nested(const Tensor& x, std::size_t indent) const {
    if (x.rank() == 0) return number(x);
    if (x.rank() == 1) return row(x, indent);
    std::vector<std::string> parts;
    each_shown(
        x, [&](const Tensor& part) { parts.push_back(nested(part, indent + 1)); },
        [&] { parts.push_back("..."); });
    const std::string line_ends(static_cast<std::size_t>(x.rank() - 1), '\n');
    const std::string between = "," + line_ends + std::string(indent + 1, ' ');
    return fmt::format("[{}]", joined(parts, between));
  }

 private:
  // Calls on_part for each sub-tensor x[i] that is shown and on_gap where some are left out.
  template <class OnPart, class OnGap>
  void each_shown(const Tensor& x, OnPart&& on_part, OnGap&& on_gap) const {
    const std::int64_t size = x.size(0);
    const bool gap = summarise_ && size > 2 * edge;
    for (std::int64_t i = 0; i < size; ++i) {
      if (gap && i == edge) {
        on_gap();
        i = size - edge;
      }
      on_part(x[i]);
    }
  }

  void collect(const Tensor& x, std::vector<Scalar>& values) const {
    if (x.rank() == 0) return values.push_back(x.item());
    each_shown(
        x, [&](const Tensor& part) { collect(part, values); }, [] {});
  }

  std::string number(const Tensor& x) const {
    return padded(unpadded_text(x.item(), style_), style_.width);
  }

  // One dimension, broken into lines where the page is too narrow.
  std::string row(const Tensor& x, std::size_t indent) const {
    const std::size_t room = line_width - std::min(line_width, indent);
    const std::size_t per_line = std::max<std::size_t>(1, room / (style_.width + 2));
    std::string text = "[";
    std::size_t shown = 0;
    const auto append = [&](const std::string& entry) {
      if (shown > 0) text += shown % per_line == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
      text += entry;
      ++shown;
    };
    each_shown(
        x, [&](const Tensor& part) { append(number(part)); }, [&] { append(" ..."); });
    return text + "]";
  }

  bool summarise_;
  Style style_;
};

// The shape as Python's tuple: "(2, 3)", "(3,)", "()".
std::string tuple(const Shape& shape) {
  return fmt::format("({}{})", joined(shape, ", "), shape.size() == 1 ? "," : "");
}

std::int64_t count_shown(const Shape& shape) {
  const bool summary = count_elements(shape) > summary_threshold;
  std::int64_t shown = 1;
  for (const std::int64_t size : shape) shown *= summary ? std::min(size, 2 * edge) : size;
  return shown;
}

}  // namespace

std::string to_string(const Tensor& x) {
  if (!x.defined()) return "tensor(undefined)";
  constexpr std::string_view opening = "tensor(";
  const bool empty = x.numel() == 0;
  const bool hidden = x.device() == Device::meta || count_shown(x.shape()) > most_shown;
  std::vector<std::string> notes;
  if (x.device() != Device::cpu) notes.push_back(fmt::format("device={}", name(x.device())));
  if (hidden || (empty && x.rank() != 1)) notes.push_back("size=" + tuple(x.shape()));
  // Elements that are shown tell int64 and bool from fp32 by how they look.
  const bool telling =
      !hidden && !empty && (x.dtype() == DType::int64 || x.dtype() == DType::boolean);
  if (x.dtype() != DType::fp32 && !telling)
    notes.push_back(fmt::format("dtype={}", name(x.dtype())));

  std::string text(opening);
  text += hidden ? "..." : empty ? "[]" : Printer(x).nested(x, opening.size());
  // PyTorch counts two columns more than there are, for the bracket that closes.
  const std::size_t line_start = text.rfind('\n');
  std::size_t column =
      line_start == std::string::npos ? text.size() + 2 : text.size() - line_start + 1;
  for (const std::string& note : notes) {
    const bool fits = column + note.size() + 2 <= line_width;
    text += fits ? ", " + note : ",\n" + std::string(opening.size(), ' ') + note;
    column = fits ? column + note.size() + 2 : opening.size() + note.size();
  }
  return text + ")";
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

}  // namespace napkin
