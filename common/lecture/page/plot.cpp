#include "common/lecture/page/plot.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "common/core/units.h"
#include "common/lecture/page/axis.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/svg.h"
#include "common/lecture/page/width.h"
#include "common/lecture/report.h"

namespace napkin::lecture {
namespace {

constexpr std::string_view marks = "ox+*#@%&";

char mark(std::size_t series) { return marks[series % marks.size()]; }

// Rows of characters, the top one first.
std::vector<std::string> drawn(const Plot& plot, const Axis& x, const Axis& y, int width,
                               int height) {
  std::vector<std::string> rows(static_cast<std::size_t>(height),
                                std::string(static_cast<std::size_t>(width), ' '));
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!x.can_draw(series.x[i]) || !y.can_draw(series.y[i])) continue;
      const auto column = std::lround(x.place(series.x[i]) * (width - 1));
      const auto row = std::lround((1 - y.place(series.y[i])) * (height - 1));
      rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = mark(s);
    }
  }
  return rows;
}

// Marks and names, in as many lines as that many columns ask for.
std::vector<std::string> legend(const Plot& plot, int width) {
  std::vector<std::string> rows = {""};
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const std::string entry = fmt::format("{} {}", mark(s), translated(plot.series[s].name));
    const int used = display_width(rows.back());
    if (used > 0 && used + 3 + display_width(entry) > width) rows.emplace_back();
    rows.back() += (rows.back().empty() ? "" : "   ") + entry;
  }
  return rows;
}

std::string logarithmic(const std::string& label, bool is) {
  return translated(label) + (is ? " (" + translated("logarithmic") + ")" : "");
}

}  // namespace

Axis x_axis(const Plot& plot) {
  std::vector<const std::vector<double>*> values;
  for (const Series& s : plot.series) values.push_back(&s.x);
  return {values, plot.log_x};
}

Axis y_axis(const Plot& plot) {
  std::vector<const std::vector<double>*> values;
  for (const Series& s : plot.series) values.push_back(&s.y);
  return {values, plot.log_y};
}

std::vector<std::string> Plot::lines(int width, int height) const {
  width = std::max(width, 8);
  height = std::max(height, 2);
  const Axis x = x_axis(*this), y = y_axis(*this);
  const std::string top = short_number(y.high()), bottom = short_number(y.low());
  const int margin = std::max(display_width(top), display_width(bottom));
  std::vector<std::string> page = {translated(title), logarithmic(y_label, log_y)};
  const auto rows = drawn(*this, x, y, width, height);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string label = r == 0 ? top : r + 1 == rows.size() ? bottom : "";
    page.push_back(pad(label, margin, Align::right) + " |" + rows[r]);
  }
  const std::string blank(static_cast<std::size_t>(margin) + 1, ' ');
  page.push_back(blank + "+" + std::string(static_cast<std::size_t>(width), '-'));
  const std::string left = short_number(x.low()), right = short_number(x.high());
  const std::string middle = logarithmic(x_label, log_x);
  const int room = width - display_width(left) - display_width(right);
  const int before = std::max(1, (room - display_width(middle)) / 2);
  const std::string start = left + std::string(static_cast<std::size_t>(before), ' ') + middle;
  page.push_back(blank + " " +
                 pad(start, std::max(width - display_width(right), display_width(start) + 1)) +
                 right);
  for (const std::string& row : legend(*this, columns() - indent - margin - 2))
    page.push_back(blank + " " + row);
  for (std::string& line : page) line.erase(line.find_last_not_of(' ') + 1);
  return page;
}

void Plot::print(int width, int height) const {
  const int margin = 12;  // the y axis's numbers
  for (const std::string& line : lines(std::min(width, columns() - indent - margin), height))
    print_line(line);
}

void Plot::save(const std::string& name) const { save_picture(name, svg()); }

}  // namespace napkin::lecture
