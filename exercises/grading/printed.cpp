#include "exercises/grading/printed.h"

#include <charconv>

#include "exercises/grading/channel.h"

namespace napkin::exercises {
namespace {

constexpr std::size_t most_checks = 10'000;  // an answer that writes marks shall not fill memory

// The number of the mark that the text begins with, and the mark's length; 0 where it is none.
std::size_t take_mark(std::string_view text, std::string_view head, std::size_t& length) {
  if (!text.starts_with(head)) return 0;
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + head.size(), end, number);
  if (error != std::errc() || rest == end || *rest != '\n' || number > most_checks) return 0;
  length = static_cast<std::size_t>(rest - text.data()) + 1;
  return number;
}

}  // namespace

Printed sorted(std::string_view text, std::string_view nonce) {
  Printed printed;
  printed.during.resize(1);
  std::size_t current = 0;
  const std::string head = mark_head(nonce);
  const auto keep = [&](std::string_view piece) {
    printed.all += piece;
    printed.during[current] += piece;
  };
  while (!text.empty()) {
    const std::size_t at = text.find(head);
    keep(text.substr(0, at));
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    std::size_t length = head.size();
    if (const std::size_t number = take_mark(text, head, length); number > 0) {
      current = number;
      if (printed.during.size() <= current) printed.during.resize(current + 1);
    } else {
      keep(head);
    }
    text.remove_prefix(length);
  }
  return printed;
}

}  // namespace napkin::exercises
