// Parts of a list as one text.
#pragma once
#include <fmt/core.h>

#include <string>
#include <string_view>

namespace napkin {

// Each part by its format ("{}", "{:.3f}"), with `between` from one to the next. fmt::join does the
// same; every file that calls it compiles a good part of fmt again.
template <class Parts>
std::string joined(const Parts& parts, std::string_view between, std::string_view format = "{}") {
  std::string text;
  bool is_first = true;
  for (const auto& part : parts) {
    if (!is_first) text += between;
    is_first = false;
    text += fmt::vformat(format, fmt::make_format_args(part));
  }
  return text;
}

}  // namespace napkin
