#include "common/lecture/page/svg.h"

#include "common/core/whole_file.h"
#include "common/lecture/report.h"
#include "common/lecture/run.h"

namespace napkin::lecture {
namespace {

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

}  // namespace

void Svg::text(double x, double y, std::string_view anchor, std::string_view words,
               std::string_view extra) {
  put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, extra,
      escaped(words));
}

std::string Svg::document(double width, double height) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{2}</svg>\n",
      width, height, elements_);
}

void save_picture(const std::string& name, const std::string& document) {
  const std::string& folder = settings().plot_folder;
  if (folder.empty()) return;
  const std::string path = folder + (folder.ends_with('/') ? "" : "/") + name + ".svg";
  write_whole_file(path, document);
  ++current_run().pictures;
  print_line(phrase("picture: {}", path));  // a path is not broken over two lines
}

}  // namespace napkin::lecture
