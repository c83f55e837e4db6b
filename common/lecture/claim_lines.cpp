#include "common/lecture/claim_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/lecture/language.h"
#include "common/lecture/page.h"
#include "common/lecture/text.h"
#include "common/lecture/width.h"

namespace napkin::lecture {
namespace {

constexpr int gap_columns = 2;
constexpr int widest_number = 12;  // longer ones stick out
constexpr int shortest_left = 40;  // narrower: the numbers go under the sentence
constexpr int shortest_says = 26;  // narrower: ids are not padded
constexpr int usual_verdict = 5;   // "shown"

std::string head(const Claim& claim, const ClaimLayout& layout) {
  return pad(fmt::format("[{}]", claim.id), layout.id) + " " + translated(claim.says);
}

// "here 463.86 GB", the number padded to its column.
std::string labelled(const std::string& label, const std::string& number, int columns) {
  return label + " " + pad(number, columns);
}

std::string spaces(int count) { return std::string(static_cast<std::size_t>(count), ' '); }

}  // namespace

ClaimLayout claim_layout(std::span<const Claim> section, int page) {
  ClaimLayout layout{.page = page, .here = 8};
  int longest_id = 0;
  for (const Claim& claim : section) {
    const int number = display_width(lecture_text(claim));
    const bool rounded = claim.kind == Kind::digits || claim.kind == Kind::within;
    layout.lecture = std::max(layout.lecture, std::min(number, widest_number));
    layout.here = std::max(layout.here, std::min(number + (rounded ? 3 : 0), widest_number));
    longest_id = std::max(longest_id, display_width(claim.id) + 2);
  }
  const int numbers = display_width(translated("lecture")) + 1 + layout.lecture + gap_columns +
                      display_width(translated("here")) + 1 + layout.here + gap_columns;
  layout.left = page - indent - gap_columns - numbers - usual_verdict;
  layout.one_line = layout.left >= shortest_left;
  if (!layout.one_line) layout.left = page - indent;
  if (layout.left - longest_id - 1 >= shortest_says) layout.id = longest_id;
  return layout;
}

std::vector<std::string> claim_lines(const Claim& claim, const std::string& here,
                                     std::string_view verdict, const ClaimLayout& layout) {
  const int hanging = layout.id > 0 ? layout.id + 1 : indent;
  std::vector<std::string> lines = wrapped(head(claim, layout), layout.left, hanging);
  const std::string theirs =
      labelled(translated("lecture"), lecture_text(claim), layout.lecture) + spaces(gap_columns);
  const std::string ours =
      here.empty() ? "" : labelled(translated("here"), here, layout.here) + spaces(gap_columns);
  const std::string numbers = theirs + ours + std::string(verdict);

  const int room = layout.page - indent - display_width(numbers);
  if (layout.one_line && room >= layout.left + gap_columns) {
    lines[0] = pad(lines[0], layout.left + gap_columns) + numbers;
  } else if (room >= indent) {
    lines.push_back(spaces(indent) + numbers);
  } else {
    for (const std::string& part : {theirs, ours + std::string(verdict)})
      for (std::string& line : wrapped(spaces(indent) + part, layout.page - indent, 2 * indent))
        lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace napkin::lecture
