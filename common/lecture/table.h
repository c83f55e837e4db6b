// Tables: columns aligned by display width (a Chinese character is two columns wide).
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace napkin::lecture {

enum class Align { left, right, decimal };  // decimal: at the decimal point

struct Column {
  std::string title;  // translated when printed; the unit stands here
  Align align = Align::left;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column; cells are printed as they are (translate words with translated()).
  void row(std::vector<std::string> cells);
  // Prints it with the section's indent, at most 96 columns wide.
  void print() const;
  // The same as text, one line each.
  std::vector<std::string> lines() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Columns that a terminal needs for a UTF-8 text.
int display_width(std::string_view text);
// The text with spaces up to that width.
std::string pad(std::string_view text, int width, Align align = Align::left);

}  // namespace napkin::lecture
