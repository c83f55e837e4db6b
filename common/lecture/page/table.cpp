#include "common/lecture/page/table.h"

#include <algorithm>
#include <numeric>

#include "common/core/error.h"
#include "common/lecture/page/language.h"
#include "common/lecture/page/page.h"
#include "common/lecture/report.h"

namespace napkin::lecture {
namespace {

constexpr int wide_gap = 3, narrow_gap = 2;
constexpr int narrowest_text = 10;  // a text column is not wrapped below that

using Cells = std::vector<std::string>;

// Where the decimal point of a cell's number stands, or would stand: "2.42 GB" -> 1, "96" -> 2.
std::size_t point_of(std::string_view cell) {
  const std::size_t digit = cell.find_first_of("0123456789");
  if (digit == std::string_view::npos) return cell.size();
  return std::min(cell.find_first_not_of("0123456789,", digit), cell.size());
}

// Pads the cells so that, right-aligned, their decimal points stand under each other.
void align_points(Cells& cells) {
  int before = 0, after = 0;
  for (const std::string& cell : cells) {
    const std::size_t point = point_of(cell);
    before = std::max(before, display_width(cell.substr(0, point)));
    after = std::max(after, display_width(cell.substr(point)));
  }
  for (std::string& cell : cells) {
    const std::size_t point = point_of(cell);
    cell = pad(cell.substr(0, point), before, Align::right) + pad(cell.substr(point), after);
  }
}

int longest_word(const std::string& text) {
  int longest = 0;
  for (const std::string& word : wrapped(text, 1)) longest = std::max(longest, display_width(word));
  return longest;
}

// A column ready to be printed.
struct Strip {
  std::string title;
  Align align;
  Cells cells;
  int width = 0, least = 0;  // least: it can be wrapped down to that
};

Strip strip_of(const Column& column, Cells cells) {
  Strip strip{translated(column.title), column.align, std::move(cells)};
  if (strip.align == Align::decimal) align_points(strip.cells);
  strip.least = longest_word(strip.title);
  strip.width = display_width(strip.title);
  for (const std::string& cell : strip.cells) {
    const int width = display_width(cell);
    const bool wraps = strip.align == Align::left;
    strip.width = std::max(strip.width, width);
    strip.least = std::max(
        strip.least, wraps ? std::max(std::min(width, narrowest_text), longest_word(cell)) : width);
  }
  return strip;
}

int total(const std::vector<Strip>& strips, int gap) {
  const int gaps = gap * (static_cast<int>(strips.size()) - 1);
  return std::accumulate(strips.begin(), strips.end(), gaps,
                         [](int sum, const Strip& s) { return sum + s.width; });
}

// Takes columns off the widest strips until the sum fits; returns whether it does.
bool squeeze(std::vector<Strip>& strips, int gap, int width) {
  while (total(strips, gap) > width) {
    const auto widest = std::max_element(
        strips.begin(), strips.end(),
        [](const Strip& a, const Strip& b) { return a.width - a.least < b.width - b.least; });
    if (widest->width == widest->least) return false;
    --widest->width;
  }
  return true;
}

void append_row(const std::vector<Strip>& strips, const Cells& cells, int gap, Cells& lines) {
  std::vector<Cells> pieces;
  std::size_t height = 1;
  for (std::size_t c = 0; c < strips.size(); ++c) {
    const bool fits = display_width(cells[c]) <= strips[c].width;
    pieces.push_back(fits ? Cells{cells[c]} : wrapped(cells[c], strips[c].width));
    height = std::max(height, pieces.back().size());
  }
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < strips.size(); ++c) {
      if (c > 0) line += std::string(static_cast<std::size_t>(gap), ' ');
      line += pad(i < pieces[c].size() ? pieces[c][i] : "", strips[c].width, strips[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
}

void append_table(const std::vector<Strip>& strips, int gap, Cells& lines) {
  Cells titles;
  for (const Strip& s : strips) titles.push_back(s.title);
  append_row(strips, titles, gap, lines);
  for (std::size_t r = 0; r < strips[0].cells.size(); ++r) {
    Cells row;
    for (const Strip& s : strips) row.push_back(s.cells[r]);
    append_row(strips, row, gap, lines);
  }
}

// As many strips as fit; the others in a further table, which repeats the first strip.
void append_tables(std::vector<Strip> strips, int width, Cells& lines) {
  if (total(strips, wide_gap) <= width) return append_table(strips, wide_gap, lines);
  std::vector<Strip> rest;
  std::vector<Strip> now = strips;
  while (!squeeze(now, narrow_gap, width) && strips.size() > 2) {
    rest.insert(rest.begin(), strips.back());
    strips.pop_back();
    now = strips;
  }
  append_table(now, narrow_gap, lines);
  if (rest.empty()) return;
  rest.insert(rest.begin(), strips.front());
  lines.emplace_back();
  append_tables(std::move(rest), width, lines);
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
  check(cells.size() == columns_.size(), "a row of {} cells in a table of {} columns", cells.size(),
        columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::string> Table::lines(int width) const {
  std::vector<Strip> strips;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Cells cells;
    for (const auto& row : rows_) cells.push_back(row[c]);
    strips.push_back(strip_of(columns_[c], std::move(cells)));
  }
  Cells all;
  if (!strips.empty()) append_tables(std::move(strips), width, all);
  return all;
}

void Table::print() const {
  for (const std::string& line : lines(columns() - indent)) print_line(line);
}

}  // namespace napkin::lecture
