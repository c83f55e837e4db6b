#include "demos/01_tensors/strip.h"

#include <fmt/format.h>

#include "common/core/joined.h"

namespace napkin {

std::vector<std::int64_t> positions(const Tensor& view) {
  std::vector<std::int64_t> result;
  Dims index(view.rank(), 0);
  for (std::int64_t n = view.numel(); n > 0; --n) {
    result.push_back(position(view.layout(), index));
    for (int d = view.rank() - 1; d >= 0; --d) {  // the next index, as an odometer turns
      if (++index[d] < view.size(d)) break;
      index[d] = 0;
    }
  }
  return result;
}

std::string strip(const Tensor& view, std::int64_t row, int columns) {
  const std::int64_t cells = view.storage_bytes() / size_of(view.dtype());
  if (cells < 1 || cells > columns) return "";
  const int width = static_cast<int>(fmt::formatted_size(" {}", cells - 1));
  const std::int64_t bars = row > 0 ? (cells - 1) / row : 0;
  if (cells * width + 2 * bars > columns) return "";
  std::vector<bool> touched(static_cast<std::size_t>(cells), false);
  for (const std::int64_t p : positions(view)) touched[static_cast<std::size_t>(p)] = true;
  std::string line;
  for (std::int64_t i = 0; i < cells; ++i) {
    if (row > 0 && i > 0 && i % row == 0) line += " |";
    line += fmt::format("{:>{}}", touched[static_cast<std::size_t>(i)] ? std::to_string(i) : ".",
                        width);
  }
  return line;
}

std::string walk(const Tensor& view, int columns) {
  if (view.numel() > columns) return "";
  const std::int64_t row = view.rank() > 0 ? view.size(-1) : 1;
  std::string line;
  std::int64_t n = 0;
  for (const std::int64_t p : positions(view)) {
    line += n == 0 ? "" : n % row == 0 ? " | " : " ";
    line += std::to_string(p);
    ++n;
  }
  return static_cast<int>(line.size()) <= columns ? line : "";
}

std::string position_sum(const Tensor& view, const std::vector<std::int64_t>& index) {
  std::vector<std::string> terms;
  if (view.offset() != 0 || index.empty()) terms.push_back(std::to_string(view.offset()));
  for (int d = 0; d < view.rank(); ++d) {
    const std::int64_t i = index[static_cast<std::size_t>(d)];
    terms.push_back(fmt::format("{} x {}", i < 0 ? i + view.size(d) : i, view.stride(d)));
  }
  return joined(terms, " + ");
}

std::string tuple(const Dims& dims) { return fmt::format("({})", joined(dims, ", ")); }

std::string times(const Shape& shape) { return shape.empty() ? "scalar" : joined(shape, " x "); }

}  // namespace napkin
