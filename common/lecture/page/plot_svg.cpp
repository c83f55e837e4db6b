// A plot as an SVG document: axes with round ticks; series told apart by dash and mark as well as
// by colour, each drawn in the legend as it is drawn above; a curve that another one hides is
// named.
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/core/units.h"
#include "common/lecture/page/axis.h"
#include "common/lecture/page/plot.h"
#include "common/lecture/page/svg.h"
#include "common/lecture/page/width.h"
#include "common/lecture/report.h"

namespace napkin::lecture {

Axis x_axis(const Plot& plot);  // plot.cpp
Axis y_axis(const Plot& plot);

namespace {

constexpr double page_wide = 640, left = 80, right = 620, top = 48, bottom = 316;

// As many styles as colours: none comes twice among six curves.
constexpr std::array<std::string_view, colours.size()> dashes = {"none",     "7 3",      "2 3",
                                                                 "12 3 2 3", "12 4 6 4", "4 2 1 2"};

struct Point {
  double x, y;
};

// Whether a curve is within a line's width of the other one all along; not where one of them is
// interrupted.
bool lies_on(const std::vector<Point>& curve, const std::vector<Point>& other) {
  constexpr double width = 1.5;
  for (const Point& p : curve) {
    const auto after = std::lower_bound(other.begin(), other.end(), p.x,
                                        [](const Point& q, double x) { return q.x < x; });
    if (after == other.end() || (after == other.begin() && after->x > p.x)) return false;
    const Point before = after == other.begin() ? *after : *(after - 1);
    const double share = after->x > before.x ? (p.x - before.x) / (after->x - before.x) : 1;
    if (!(std::abs(before.y + share * (after->y - before.y) - p.y) <= width)) return false;
  }
  return !curve.empty();
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), x_(x_axis(plot)), y_(y_axis(plot)) {
    for (const Series& series : plot.series) curves_.push_back(points(series));
  }

  std::string document() {
    svg_.text(page_wide / 2, 24, "middle", translated(plot_.title), " font-size=\"15\"");
    axes();
    for (std::size_t s = 0; s < curves_.size(); ++s) curve(s);
    double below = legend(bottom + 60) + 18;
    for (const auto& [hidden, over] : hidden_curves()) {
      svg_.text(left, below, "start",
                phrase("{} lies under {}", translated(plot_.series[hidden].name),
                       translated(plot_.series[over].name)));
      below += 18;
    }
    return svg_.document(page_wide, below + 6);
  }

 private:
  // The extremes keep a little distance from the frame.
  static double inset(double share) { return 0.03 + 0.94 * share; }
  double across(double v) const { return left + inset(x_.place(v)) * (right - left); }
  double down(double v) const { return bottom - inset(y_.place(v)) * (bottom - top); }

  // Where a series runs; NaN where it is interrupted.
  std::vector<Point> points(const Series& series) const {
    std::vector<Point> all;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      const bool drawn = x_.can_draw(series.x[i]) && y_.can_draw(series.y[i]);
      if (drawn)
        all.push_back({across(series.x[i]), down(series.y[i])});
      else if (!all.empty() && !std::isnan(all.back().x))
        all.push_back({NAN, NAN});
    }
    return all;
  }

  void stroke(double x1, double y1, double x2, double y2, std::string_view colour) {
    svg_.put("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, colour);
  }

  void axes() {
    for (const double v : x_.ticks()) {
      stroke(across(v), top, across(v), bottom, "#ddd");
      svg_.text(across(v), bottom + 18, "middle", short_number(v));
    }
    for (const double v : y_.ticks()) {
      stroke(left, down(v), right, down(v), "#ddd");
      svg_.text(left - 8, down(v) + 4, "end", short_number(v));
    }
    stroke(left, bottom, right, bottom, "black");
    stroke(left, top, left, bottom, "black");
    svg_.text((left + right) / 2, bottom + 38, "middle", translated(plot_.x_label));
    const double middle = (top + bottom) / 2;
    svg_.text(18, middle, "middle", translated(plot_.y_label),
              fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", middle));
  }

  static std::string_view colour(std::size_t s) { return colours[s % colours.size()]; }

  // Circle, square, triangle, rhombus, triangle on its point, cross.
  void mark(std::size_t s, Point p) {
    static constexpr std::array<std::string_view, colours.size()> shapes = {
        "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
        "m-3.5-3.5h7v7h-7z",
        "m0-4l4 7h-8z",
        "m0-5l4 5l-4 5l-4-5z",
        "m0 4l-4-7h8z",
        "m-4-3l3 3l-3 3h2l2-2l2 2h2l-3-3l3-3h-2l-2 2l-2-2z"};
    svg_.put("<path d=\"M{:.1f} {:.1f}{}\" fill=\"{}\"/>\n", p.x, p.y, shapes[s % shapes.size()],
             colour(s));
  }

  void path(std::size_t s, const std::vector<Point>& through) {
    std::string d;
    bool joined = false;
    for (const Point& p : through) {
      if (!std::isnan(p.x)) d += fmt::format("{}{:.1f} {:.1f}", joined ? "L" : "M", p.x, p.y);
      joined = !std::isnan(p.x);
    }
    if (d.empty()) return;
    svg_.put(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" "
        "stroke-dasharray=\"{}\"/>\n",
        d, colour(s), dashes[s % dashes.size()]);
  }

  // Every point of a short series is marked; of a longer one about ten, each series' elsewhere, so
  // that marks of curves that lie on one another stand side by side.
  void curve(std::size_t s) {
    const std::vector<Point>& points = curves_[s];
    path(s, points);
    const std::size_t step = points.size() <= 24 ? 1 : points.size() / 10;
    const std::size_t first = step * (s + 1) / (curves_.size() + 1);
    for (std::size_t i = first; i < points.size(); i += step)
      if (!std::isnan(points[i].x)) mark(s, points[i]);
  }

  // The styles of the curves and their names, in lines as long as the axis; returns where the last
  // one stands.
  double legend(double y) {
    double x = left;
    for (std::size_t s = 0; s < curves_.size(); ++s) {
      const std::string name = translated(plot_.series[s].name);
      const double wide = 36 + 7.5 * display_width(name);
      if (x > left && x + wide > right) {
        x = left;
        y += 18;
      }
      path(s, {{x, y - 4}, {x + 28, y - 4}});
      mark(s, {x + 14, y - 4});
      svg_.text(x + 34, y, "start", name);
      x += wide + 16;
    }
    return y;
  }

  // Curves that one drawn later covers, and that one.
  std::vector<std::pair<std::size_t, std::size_t>> hidden_curves() const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t a = 0; a < curves_.size(); ++a)
      for (std::size_t b = a + 1; b < curves_.size(); ++b)
        if (lies_on(curves_[a], curves_[b])) {
          found.emplace_back(a, b);
          break;
        }
    return found;
  }

  const Plot& plot_;
  Axis x_, y_;
  std::vector<std::vector<Point>> curves_;
  Svg svg_;
};

}  // namespace

std::string Plot::svg() const { return Drawing(*this).document(); }

}  // namespace napkin::lecture
