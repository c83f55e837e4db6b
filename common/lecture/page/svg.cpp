// A plot as an SVG document: axes with round ticks, series told apart by colour, dash and mark.
//
// Colours: Okabe & Ito's palette, which people with colour blindness can tell apart.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "common/core/units.h"
#include "common/lecture/page/axis.h"
#include "common/lecture/page/plot.h"
#include "common/lecture/report.h"

namespace napkin::lecture {

Axis x_axis(const Plot& plot);  // plot.cpp
Axis y_axis(const Plot& plot);

namespace {

constexpr double page_wide = 640, page_high = 400;
constexpr double left = 80, right = 620, top = 48, bottom = 316;

constexpr std::array<std::string_view, 6> colours = {"#0072B2", "#D55E00", "#009E73",
                                                     "#CC79A7", "#E69F00", "#000000"};
constexpr std::array<std::string_view, 3> dashes = {"none", "6 3", "2 3"};

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) safe += c;
    }
  return safe;
}

class Drawing {
 public:
  Drawing(const Plot& plot) : plot_(plot), x_(x_axis(plot)), y_(y_axis(plot)) {}

  std::string document() {
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\">\n",
        page_wide, page_high);
    put("<rect width=\"{}\" height=\"{}\" fill=\"white\"/>\n", page_wide, page_high);
    text(page_wide / 2, 24, "middle", translated(plot_.title), " font-size=\"15\"");
    axes();
    for (std::size_t s = 0; s < plot_.series.size(); ++s) {
      line(s);
      legend(s);
    }
    return page_ + "</svg>\n";
  }

 private:
  template <class... T>
  void put(fmt::format_string<const T&...> format, const T&... values) {
    page_ += fmt::format(format, values...);
  }

  void text(double x, double y, std::string_view anchor, std::string_view words,
            std::string_view extra = "") {
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, extra,
        escaped(words));
  }

  // The extremes keep a little distance from the frame.
  static double inset(double share) { return 0.03 + 0.94 * share; }
  double across(double v) const { return left + inset(x_.place(v)) * (right - left); }
  double down(double v) const { return bottom - inset(y_.place(v)) * (bottom - top); }

  void stroke(double x1, double y1, double x2, double y2, std::string_view colour) {
    put("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, colour);
  }

  void axes() {
    for (const double v : x_.ticks()) {
      stroke(across(v), top, across(v), bottom, "#ddd");
      text(across(v), bottom + 18, "middle", short_number(v));
    }
    for (const double v : y_.ticks()) {
      stroke(left, down(v), right, down(v), "#ddd");
      text(left - 8, down(v) + 4, "end", short_number(v));
    }
    stroke(left, bottom, right, bottom, "black");
    stroke(left, top, left, bottom, "black");
    text((left + right) / 2, bottom + 38, "middle", translated(plot_.x_label));
    const double middle = (top + bottom) / 2;
    text(18, middle, "middle", translated(plot_.y_label),
         fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", middle));
  }

  std::string_view colour(std::size_t s) const { return colours[s % colours.size()]; }

  void mark(std::size_t s, double x, double y) {
    switch (s % 3) {
      case 0:
        return put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x, y,
                   colour(s));
      case 1:
        return put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" fill=\"{}\"/>\n",
                   x - 3.5, y - 3.5, colour(s));
      default:
        return put("<path d=\"M{:.1f} {:.1f}l4 7h-8z\" fill=\"{}\"/>\n", x, y - 4, colour(s));
    }
  }

  // Points joined by lines; a value that cannot be drawn interrupts them.
  void line(std::size_t s) {
    const Series& series = plot_.series[s];
    const std::size_t count = std::min(series.x.size(), series.y.size());
    const bool marked = count <= 60;  // more would run together
    std::string path;
    bool joined = false;
    for (std::size_t i = 0; i < count; ++i) {
      const bool drawn = x_.can_draw(series.x[i]) && y_.can_draw(series.y[i]);
      if (drawn) {
        const double x = across(series.x[i]), y = down(series.y[i]);
        path += fmt::format("{}{:.1f} {:.1f}", joined ? "L" : "M", x, y);
        if (marked) mark(s, x, y);
      }
      joined = drawn;
    }
    if (!path.empty())
      put("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" "
          "stroke-dasharray=\"{}\"/>\n",
          path, colour(s), dashes[s % dashes.size()]);
  }

  // Three names in a row under the axis.
  void legend(std::size_t s) {
    const double x = left + 180.0 * static_cast<double>(s % 3);
    const double y = bottom + 60 + 18.0 * static_cast<double>(s / 3);
    mark(s, x, y - 4);
    text(x + 10, y, "start", translated(plot_.series[s].name));
  }

  const Plot& plot_;
  Axis x_, y_;
  std::string page_;
};

}  // namespace

std::string Plot::svg() const { return Drawing(*this).document(); }

}  // namespace napkin::lecture
