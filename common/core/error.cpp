#include "common/core/error.h"

#include <string_view>

namespace napkin {

Error::Error(const std::string& sentence, std::source_location where)
    : std::runtime_error(sentence), where_(where) {}

std::string Error::place() const {
  std::string_view file = where_.file_name();
  for (std::string_view root : {"common/", "demos/", "exercises/"})
    if (auto at = file.rfind(root); at != std::string_view::npos) {
      file.remove_prefix(at);
      break;
    }
  return fmt::format("{}:{}", file, where_.line());
}

void check_equal(long long a, long long b, std::string_view what, std::source_location where) {
  if (a != b) throw Error(fmt::format("{}: {} is not {}", what, a, b), where);
}

}  // namespace napkin
