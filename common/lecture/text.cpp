#include "common/lecture/text.h"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

namespace napkin::lecture {
namespace {

std::string plain(bool v) { return v ? "yes" : "no"; }
std::string plain(std::int64_t v) { return fmt::format("{}", v); }
std::string plain(double v) { return fmt::format("{}", v); }
std::string plain(const std::string& v) { return v; }
template <class T>
std::string plain(const std::vector<T>& list) {
  std::string text = "(";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i > 0 ? ", " : "") + plain(list[i]);
  return text + ")";
}

}  // namespace

std::string plain_text(const Value& value) {
  return std::visit([](const auto& held) { return plain(held); }, value.holder());
}

}  // namespace napkin::lecture
