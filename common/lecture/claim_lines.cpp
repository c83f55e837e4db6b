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

std::string spaces(int count) { return std::string(static_cast<std::size_t>(count), ' '); }

}  // namespace

ClaimLayout claim_layout(std::span<const Claim> section, int page) {
  ClaimLayout layout{.page = page, .here = 8};
  int longest_id = 0;
  for (const Claim& claim : section) {
    const int number = display_width(lecture_text(claim));
    layout.lecture = std::max(layout.lecture, std::min(number, widest_number));
    longest_id = std::max(longest_id, display_width(claim.id) + 2);
  }
  layout.here = std::max(layout.here, layout.lecture);
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
  const std::string lecture = translated("lecture") + " " + lecture_text(claim);
  const int lecture_columns = display_width(translated("lecture")) + 1 + layout.lecture;
  std::string numbers = pad(lecture, lecture_columns) + spaces(gap_columns);
  std::string ours;
  if (!here.empty()) {
    ours = translated("here") + " " + here;
    ours = pad(ours, display_width(translated("here")) + 1 + layout.here) + spaces(gap_columns);
  }
  const auto fits = [&](const std::string& text, int before) {
    return indent + before + display_width(text) + display_width(verdict) <= layout.page;
  };
  const std::string row = numbers + ours;
  if (layout.one_line && fits(row, layout.left + gap_columns)) {
    lines[0] = pad(lines[0], layout.left + gap_columns) + row + std::string(verdict);
  } else if (fits(row, indent)) {
    lines.push_back(spaces(layout.one_line ? std::min(layout.left + gap_columns,
                                                      layout.page - indent - display_width(row) -
                                                          display_width(verdict))
                                           : indent) +
                    row + std::string(verdict));
  } else {
    lines.push_back(spaces(indent) + lecture);
    lines.push_back(spaces(indent) + ours + std::string(verdict));
  }
  return lines;
}

}  // namespace napkin::lecture
