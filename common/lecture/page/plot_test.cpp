#include "common/lecture/page/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "common/lecture/page/axis.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/width.h"

namespace napkin::lecture {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Plot two_lines() {
  Plot plot{.title = "Cost <of> a \"copy\" & a view", .x_label = "bytes", .y_label = "seconds"};
  plot.log_x = plot.log_y = true;
  plot.series = {{"view", {1e3, 1e4, 1e5, 1e6}, {1e-8, 1e-8, 1e-8, 1e-8}},
                 {"copy", {1e3, 1e4, 1e5, 1e6}, {1e-7, 1e-6, 1e-5, 1e-4}}};
  return plot;
}

// Every tag that is opened is closed in its turn, and no bare & or < stands in a text.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < svg.size(); ++i) {
    if (svg[i] == '&') {
      const std::size_t end = svg.find(';', i);
      const std::string name = svg.substr(i, end - i + 1);
      if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;") return false;
    }
    if (svg[i] == '>') return false;  // tags are jumped over as a whole
    if (svg[i] != '<') continue;
    const std::size_t end = svg.find('>', i);
    if (end == std::string::npos) return false;
    const std::string tag = svg.substr(i + 1, end - i - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    i = end;
  }
  return open.empty();
}

TEST(Svg, IsWellFormedWhateverTheTexts) {
  Plot plot = two_lines();
  EXPECT_TRUE(is_well_formed(plot.svg()));
  EXPECT_NE(plot.svg().find("Cost &lt;of&gt; a &quot;copy&quot; &amp; a view"), std::string::npos);
  plot.series[0].name = "a<b>&\"c\"\x01\n";
  plot.x_label = "</svg>";
  EXPECT_TRUE(is_well_formed(plot.svg()));
  EXPECT_FALSE(is_well_formed("<svg><a></svg>"));
  EXPECT_FALSE(is_well_formed("<svg>a & b</svg>"));
}

std::vector<std::string> all(const std::string& svg, const std::string& attribute) {
  std::vector<std::string> found;
  for (std::size_t at = svg.find(attribute + "=\""); at != std::string::npos;
       at = svg.find(attribute + "=\"", at + 1)) {
    const std::size_t from = at + attribute.size() + 2;
    found.push_back(svg.substr(from, svg.find('"', from) - from));
  }
  return found;
}

// Every curve, and beside its name the same dashes; no two of six curves share them, nor a mark.
TEST(Svg, TheLegendDrawsWhatTheCurvesDraw) {
  Plot plot;
  for (int s = 0; s < 6; ++s)
    plot.series.push_back({"series", {0, 1}, {static_cast<double>(s), 10.0 * s}});
  const std::string svg = plot.svg();
  const std::vector<std::string> dashes = all(svg, "stroke-dasharray");
  ASSERT_EQ(dashes.size(), 12u);
  for (std::size_t s = 0; s < 6; ++s) EXPECT_EQ(dashes[s], dashes[6 + s]);
  EXPECT_EQ(std::set<std::string>(dashes.begin(), dashes.end()).size(), 6u);
  std::set<std::string> marks;
  for (const std::string& d : all(svg, "d"))
    if (d.find('m') != std::string::npos) marks.insert(d.substr(d.find('m')));
  EXPECT_EQ(marks.size(), 6u);
}

TEST(Svg, ACurveUnderAnotherOneIsNamed) {
  Plot plot{.series = {{"under", {0, 1, 2}, {0, 1, 2}}, {"over", {0, 2}, {0, 2.001}}}};
  EXPECT_NE(plot.svg().find("under lies under over"), std::string::npos);
  plot.series[1].y[1] = 2.1;  // seen apart
  EXPECT_EQ(plot.svg().find("lies under"), std::string::npos);
  plot.series[1] = {"over", {0, 1}, {0, 1}};  // ends before the other one
  EXPECT_EQ(plot.svg().find("under lies under over"), std::string::npos);
  plot.series[0].y[1] = nan;
  EXPECT_EQ(plot.svg().find("lies under"), std::string::npos);
}

TEST(Svg, HasNoNumbersThatAreNone) {
  Plot plot = two_lines();
  plot.series.push_back({"odd", {nan, 1e4, infinity, -1, 0, 1e5}, {1, nan, 1, 1, 1, 1e-6}});
  plot.series.push_back({"empty", {}, {}});
  plot.series.push_back({"short", {1e4, 1e5}, {1e-6}});
  const std::string svg = plot.svg();
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Plots, OfNothingAreStillDrawn) {
  for (Plot plot :
       {Plot{}, Plot{.log_x = true, .log_y = true}, Plot{.series = {{"a", {nan}, {nan}}}},
        Plot{.series = {{"a", {1}, {5}}}}, Plot{.log_x = true, .series = {{"a", {-1}, {5}}}}}) {
    EXPECT_TRUE(is_well_formed(plot.svg()));
    EXPECT_GE(plot.lines(20, 4).size(), 6u);
    EXPECT_EQ(plot.svg().find("nan"), std::string::npos);
  }
}

TEST(Plots, SeriesAreToldApartByTheirMark) {
  const auto lines = two_lines().lines(40, 10);
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  EXPECT_EQ(std::count(all.begin(), all.end(), '+'), 1);  // the corner
  EXPECT_NE(all.find("o view   x copy"), std::string::npos);
  EXPECT_NE(lines[2].find('x'), std::string::npos);  // the largest copy, at the top right
  EXPECT_EQ(lines[2].back(), 'x');
  EXPECT_NE(lines[11].find('o'), std::string::npos);  // views stay at the bottom
  EXPECT_NE(all.find("1e-8 |"), std::string::npos);
}

TEST(Plots, ALongLegendTakesSeveralLines) {
  Plot plot{.series = {}};
  for (int i = 0; i < 9; ++i) plot.series.push_back({"series of numbers", {0, 1}, {0, 1}});
  const std::vector<std::string> lines = plot.lines(30, 4);
  for (const std::string& line : lines) EXPECT_LE(display_width(line), columns() - indent);
  std::string all;
  for (const std::string& line : lines) all += line;
  for (const std::string_view entry : {"o series", "x series", "+ series", "& series"})
    EXPECT_NE(all.find(entry), std::string::npos) << entry;
}

TEST(Plots, ExtremesStayInside) {
  Plot plot{.series = {{"a", {-1e308, 0, 1e308}, {-1e308, 0, 1e308}}}};
  EXPECT_EQ(plot.svg().find("nan"), std::string::npos);
  EXPECT_EQ(plot.svg().find("inf"), std::string::npos);
  EXPECT_GE(plot.lines(20, 5).size(), 5u);
  plot.log_x = plot.log_y = true;
  plot.series = {{"a", {5e-324, 1e308}, {5e-324, 1e308}}};
  EXPECT_EQ(plot.svg().find("nan"), std::string::npos);
}

TEST(Axes, TicksAreRoundAndInside) {
  const std::vector<double> values = {0.3, 9.7};
  EXPECT_EQ(Axis({&values}, false).ticks(), (std::vector<double>{2, 4, 6, 8}));
  const std::vector<double> sizes = {900, 2.2e6};
  const auto decades = Axis({&sizes}, true).ticks();
  ASSERT_EQ(decades.size(), 4u);
  EXPECT_NEAR(decades[0], 1e3, 1e-9);
  EXPECT_NEAR(decades[3], 1e6, 1e-6);
  const std::vector<double> same = {7, 7};
  EXPECT_LT(Axis({&same}, false).low(), 7);
  EXPECT_GT(Axis({&same}, false).high(), 7);
  EXPECT_FALSE(Axis({&same}, true).can_draw(0));
}

}  // namespace
}  // namespace napkin::lecture
