// Tables: columns aligned by display width (a Chinese character is two columns wide).
#pragma once
#include <string>
#include <vector>

#include "common/lecture/page/width.h"

namespace napkin::lecture {

struct Column {
  std::string title;  // translated when printed; the unit stands here
  Align align = Align::left;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column; cells are printed as they are (translate words with translated()).
  // Refuses another number of cells.
  void row(std::vector<std::string> cells);
  // Prints it with the section's indent.
  void print() const;
  // The same as text, at most `width` columns wide: first the gaps narrow, then long cells wrap,
  // then columns go into a second table under the first, which repeats the first column.
  std::vector<std::string> lines(int width = 92) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace napkin::lecture
