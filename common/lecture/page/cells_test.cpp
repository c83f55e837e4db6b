#include "common/lecture/page/cells.h"

#include <gtest/gtest.h>

namespace napkin::lecture {
namespace {

int count(const std::string& text, const std::string& piece) {
  int found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
    ++found;
  return found;
}

CellPicture two_panels() {
  return {"a <title>",
          {"first", "second"},
          {{"left", {"row 0", "row 1"}, {{{"0", 0}, {"1", 1}}, {{"2", 0}, {"3", 1}}}},
           {"right", {}, {{{"0", 0}, {"2", 0}, {"1", 1}, {"3", 1}}}}}};
}

TEST(CellPictures, EveryCellIsDrawnInItsGroup) {
  const std::string svg = two_panels().svg();
  EXPECT_EQ(count(svg, "<rect"), 1 + 8 + 2);  // the ground, the cells, the legend
  EXPECT_EQ(count(svg, "#0072B2"), 4 + 1);    // the first group
  for (const char* text : {">0<", ">1<", ">2<", ">3<"}) EXPECT_EQ(count(svg, text), 2) << text;
  for (const char* text : {"row 1", "left", "right", "first", "second", "a &lt;title&gt;"})
    EXPECT_EQ(count(svg, text), 1) << text;
}

// A line under or right of a cell where the next one belongs elsewhere, and at the edge.
TEST(CellPictures, ThickLinesPartTheGroups) {
  CellPicture picture{"", {"a", "b"}, {{"", {}, {{{"", 0}, {"", 0}, {"", 1}}}}}};
  std::string svg = picture.svg();
  EXPECT_EQ(count(svg, "v26.0"), 3);  // at both ends, and between the groups
  picture.panels[0].cells[0][2].group = 0;
  svg = picture.svg();
  EXPECT_EQ(count(svg, "v26.0"), 2);
}

TEST(CellPictures, APanelThatDoesNotFitStandsBelow) {
  CellPicture picture = two_panels();
  const std::string beside = picture.svg();
  picture.panels[1].title = std::string(70, 'x');
  EXPECT_GT(picture.svg().size(), beside.size());
  EXPECT_EQ(count(picture.svg(), "<rect x=\"20.0\""), count(beside, "<rect x=\"20.0\"") + 1);
}

TEST(CellPictures, OfNothingAreStillDrawn) {
  EXPECT_EQ(count(CellPicture{}.svg(), "</svg>"), 1);
  EXPECT_EQ(count(CellPicture({"", {}, {{"", {}, {}}, {"", {}, {{}}}}}).svg(), "</svg>"), 1);
}

}  // namespace
}  // namespace napkin::lecture
