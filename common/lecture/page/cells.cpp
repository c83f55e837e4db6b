#include "common/lecture/page/cells.h"

#include <algorithm>

#include "common/lecture/page/svg.h"
#include "common/lecture/page/width.h"

namespace napkin::lecture {
namespace {

constexpr double page_wide = 640, margin = 20, gap = 36, cell_high = 26;

double width_of(const std::string& text) { return 8.0 * display_width(text); }

class Drawing {
 public:
  explicit Drawing(const CellPicture& picture) : picture_(picture) {
    for (const CellPanel& panel : picture.panels)
      for (const auto& row : panel.cells)
        for (const Cell& cell : row) cell_wide_ = std::max(cell_wide_, width_of(cell.text) + 12);
  }

  std::string document() {
    svg_.text(page_wide / 2, 24, "middle", picture_.title, " font-size=\"15\"");
    double x = margin, y = 64, below = y;
    for (const CellPanel& panel : picture_.panels) {
      if (x > margin && x + width_of_panel(panel) > page_wide - margin) {
        x = margin;
        y = below + gap;
      }
      draw(panel, x, y);
      x += width_of_panel(panel) + gap;
      below = std::max(below, y + cell_high * static_cast<double>(panel.cells.size()));
    }
    return svg_.document(page_wide, legend(below + gap) + 18);
  }

 private:
  static double width_of_names(const CellPanel& panel) {
    double wide = 0;
    for (const std::string& name : panel.rows) wide = std::max(wide, width_of(name) + 8);
    return wide;
  }

  double width_of_panel(const CellPanel& panel) const {
    std::size_t columns = 0;
    for (const auto& row : panel.cells) columns = std::max(columns, row.size());
    return std::max(width_of(panel.title),
                    width_of_names(panel) + cell_wide_ * static_cast<double>(columns));
  }

  void box(double x, double y, double wide, std::size_t group) {
    svg_.put(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "fill-opacity=\"0.3\" stroke=\"#999\"/>\n",
        x, y, wide, cell_high, colours[group % colours.size()]);
  }

  // The cells, then the thick lines over them.
  void draw(const CellPanel& panel, double x, double y) {
    svg_.text(x, y - 8, "start", panel.title);
    const double left = x + width_of_names(panel);
    std::string lines;
    for (std::size_t r = 0; r < panel.cells.size(); ++r) {
      const double top = y + cell_high * static_cast<double>(r);
      if (r < panel.rows.size()) svg_.text(x, top + 17, "start", panel.rows[r]);
      for (std::size_t c = 0; c < panel.cells[r].size(); ++c) {
        const double from = left + cell_wide_ * static_cast<double>(c);
        const Cell& cell = panel.cells[r][c];
        box(from, top, cell_wide_, cell.group);
        svg_.text(from + cell_wide_ / 2, top + 17, "middle", cell.text);
        if (c == 0) lines += fmt::format("M{:.1f} {:.1f}v{:.1f}", from, top, cell_high);
        if (r == 0) lines += fmt::format("M{:.1f} {:.1f}h{:.1f}", from, top, cell_wide_);
        if (!is_group(panel, r, c + 1, cell.group))
          lines += fmt::format("M{:.1f} {:.1f}v{:.1f}", from + cell_wide_, top, cell_high);
        if (!is_group(panel, r + 1, c, cell.group))
          lines += fmt::format("M{:.1f} {:.1f}h{:.1f}", from, top + cell_high, cell_wide_);
      }
    }
    svg_.put("<path d=\"{}\" stroke=\"black\" stroke-width=\"2\"/>\n", lines);
  }

  static bool is_group(const CellPanel& panel, std::size_t r, std::size_t c, std::size_t group) {
    return r < panel.cells.size() && c < panel.cells[r].size() && panel.cells[r][c].group == group;
  }

  // In lines as long as the page; returns where the last one stands.
  double legend(double y) {
    double x = margin;
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
      const double wide = 24 + 8 + width_of(picture_.groups[g]);
      if (x > margin && x + wide > page_wide - margin) {
        x = margin;
        y += cell_high + 6;
      }
      box(x, y - 17, 24, g);
      svg_.text(x + 32, y, "start", picture_.groups[g]);
      x += wide + 24;
    }
    return y;
  }

  const CellPicture& picture_;
  double cell_wide_ = cell_high;
  Svg svg_;
};

}  // namespace

std::string CellPicture::svg() const { return Drawing(*this).document(); }

void CellPicture::save(const std::string& name) const { save_picture(name, svg()); }

}  // namespace napkin::lecture
