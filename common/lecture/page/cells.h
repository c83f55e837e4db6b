// Pictures of numbers in rows and columns, such as what a change of shape does to them, as SVG.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace napkin::lecture {

struct Cell {
  std::string text;
  std::size_t group;  // which of CellPicture::groups: its colour, and where the thick lines run
};

struct CellPanel {
  std::string title;              // translated
  std::vector<std::string> rows;  // what stands beside each row, translated
  std::vector<std::vector<Cell>> cells;
};

// Panels side by side, as far as they fit, each with a thick line where one group ends and another
// begins: without colour the groups are told apart by these lines and the texts.
struct CellPicture {
  std::string title;
  std::vector<std::string> groups;
  std::vector<CellPanel> panels;

  std::string svg() const;
  // Writes DIR/name.svg where --plot DIR was given, and says so; nothing otherwise.
  void save(const std::string& name) const;
};

}  // namespace napkin::lecture
