#include "exercises/grading/findings.h"

#include <algorithm>

#include "common/core/utf8.h"
#include "common/lecture/report.h"

namespace napkin::exercises {
namespace {

using lecture::phrase;
using lecture::translated;

constexpr std::size_t longest_line = 200;
constexpr std::string_view assertion = "Assertion '";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// By the header in which the assertion stands.
std::string_view container_of(std::string_view line) {
  constexpr std::pair<std::string_view, std::string_view> headers[] = {
      {"/stl_vector.h:", "std::vector"},
      {"/basic_string.h:", "std::string"},
      {"/stl_deque.h:", "std::deque"},
      {"/string_view:", "std::string_view"},
      {"/array:", "std::array"},
      {"/optional:", "std::optional"},
      {"/span:", "std::span"}};
  for (const auto& [header, container] : headers)
    if (has(line, header)) return container;
  return {};
}

}  // namespace

bool is_finding(std::string_view line) {
  return has(line, "ERROR: AddressSanitizer") || has(line, ": runtime error: ") ||
         has(line, assertion);
}

std::string assertion_text(std::string_view printed) {
  const std::size_t at = printed.find(assertion);
  if (at == std::string_view::npos) return {};
  const std::size_t before = printed.rfind('\n', at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view line = printed.substr(begin, printed.find('\n', at) - begin);
  const std::string_view container = container_of(line), what = printed.substr(at);
  if (container.empty()) return {};
  for (const char* bound : {"'__n < this->size()'", "'__pos < size()'", "'__pos <= size()'",
                            "'__pos < this->_M_len'", "'__idx < size()'"})
    if (what.substr(assertion.size() - 1).starts_with(bound))
      return phrase("an index past the end of a {}", container);
  const std::string_view asserted = what.substr(assertion.size());
  if (asserted.starts_with("!this->empty()") || asserted.starts_with("!empty()"))
    return phrase("the first or last element of an empty {}", container);
  if (asserted.starts_with("this->_M_is_engaged()"))
    return translated("the value of a std::optional that holds none");
  return {};
}

std::string line_of(std::string_view printed, std::string_view answer) {
  for (std::string_view rest = printed; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    if (is_finding(rest.substr(0, end))) break;
    printed = rest = rest.substr(end);
  }
  const std::string place = fmt::format("/{}:", answer);
  const std::size_t at = printed.find(place);
  if (at == std::string_view::npos) return {};
  const std::size_t numbers = at + place.size();
  const std::size_t end =
      std::min(printed.find_first_not_of("0123456789:", numbers), printed.size());
  std::string line(printed.substr(at + 1, end - at - 1));
  while (line.ends_with(':')) line.pop_back();
  return line;
}

void leave_out_abort(std::vector<std::string>& lines) {
  const auto says = [&](std::string_view part) {
    return std::find_if(lines.begin(), lines.end(),
                        [=](const auto& line) { return has(line, part); });
  };
  const auto stack = says("AddressSanitizer:DEADLYSIGNAL");
  if (says(assertion) < stack) lines.erase(stack, lines.end());
}

std::string readable_line(const std::string& line) {
  if (line.size() <= longest_line) return line;
  const std::size_t end = line.find(assertion);
  const std::string_view shown =
      end == std::string::npos ? line : std::string_view(line).substr(end);
  const std::string cut(shortened(shown, longest_line));
  return end == std::string::npos ? cut + " ..." : "... " + cut;
}

}  // namespace napkin::exercises
