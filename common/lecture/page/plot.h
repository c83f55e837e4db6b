// A plot of a few series: drawn with characters in the terminal, and as SVG where --plot DIR asks.
#pragma once
#include <string>
#include <vector>

namespace napkin::lecture {

struct Series {
  std::string name;
  std::vector<double> x, y;
};

struct Plot {
  std::string title = {}, x_label = {}, y_label = {};  // English; translated when drawn
  bool log_x = false, log_y = false;
  std::vector<Series> series = {};

  // In the section's body, width x height characters, the axes' ends labelled. What cannot be drawn
  // (NaN, infinities, values <= 0 on a logarithmic axis) is left out.
  void print(int width = 60, int height = 12) const;
  std::vector<std::string> lines(int width = 60, int height = 12) const;
  // As a complete SVG document.
  std::string svg() const;
  // Writes DIR/name.svg where --plot DIR was given, and says so; nothing otherwise.
  void save(const std::string& name) const;
};

}  // namespace napkin::lecture
