// The pieces of an SVG document, and where pictures are saved.
#pragma once
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace napkin::lecture {

// Okabe & Ito's palette, which people with colour blindness can tell apart.
inline constexpr std::array<std::string_view, 6> colours = {"#0072B2", "#D55E00", "#009E73",
                                                            "#CC79A7", "#E69F00", "#000000"};

// Collects elements; text is escaped. Lengths are in pixels, y goes down.
class Svg {
 public:
  template <class... T>
  void put(fmt::format_string<const T&...> format, const T&... values) {
    elements_ += fmt::format(format, values...);
  }
  // anchor: start, middle or end. extra: more attributes, ` font-size="15"`.
  void text(double x, double y, std::string_view anchor, std::string_view words,
            std::string_view extra = "");
  // The document on a white ground.
  std::string document(double width, double height) const;

 private:
  std::string elements_;
};

// Writes DIR/name.svg where --plot DIR was given, and says so; nothing otherwise.
void save_picture(const std::string& name, const std::string& document);

}  // namespace napkin::lecture
