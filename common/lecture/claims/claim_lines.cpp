#include "common/lecture/claims/claim_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/lecture/claims/text.h"
#include "common/lecture/page/language.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/width.h"

namespace napkin::lecture {
namespace {

constexpr int gap_columns = 2;
constexpr int widest_number = 12;  // longer ones stick out
constexpr int shortest_left = 36;  // narrower: the numbers go under the sentence

std::string head(const Claim& claim, const ClaimLayout& layout) {
  return pad(fmt::format("[{}]", claim.id), layout.id) + " " + translated(claim.says);
}

int columns_of_source() {
  return std::max(display_width(translated("lecture")), display_width(translated("derived")));
}

// Where the number beside ours comes from.
std::string source(const Claim& claim) {
  return pad(translated(claim.stated ? "lecture" : "derived"), columns_of_source());
}

// "here 463.86 GB", the number padded to its column.
std::string labelled(const std::string& label, const std::string& number, int columns) {
  return label + " " + pad(number, columns);
}

// Columns that this machine's number may take.
int columns_here(const Claim& claim) {
  const int lecture = display_width(lecture_text(claim));
  const int unit = claim.unit.empty() ? 0 : display_width(claim.unit) + 1;
  if (claim.kind == Kind::machine) return unit + 7;  // "0.00252"
  return lecture + (claim.kind == Kind::digits || claim.kind == Kind::within ? 3 : 0);
}

std::string spaces(int count) { return std::string(static_cast<std::size_t>(count), ' '); }

// A sentence past its columns beside numbers that leave theirs free: the verdict stays where it is.
std::optional<std::string> packed_line(const Claim& claim, const std::string& sentence,
                                       const std::string& here, std::string_view verdict,
                                       const ClaimLayout& layout) {
  if (here.empty() || layout.verdict + display_width(verdict) > layout.page - indent) return {};
  const std::string numbers = source(claim) + " " + lecture_text(claim) + spaces(gap_columns) +
                              translated("here") + " " + here + spaces(gap_columns);
  const int room = layout.verdict - display_width(numbers);
  if (room < display_width(sentence) + gap_columns) return {};
  return pad(sentence, room) + numbers + std::string(verdict);
}

}  // namespace

ClaimLayout claim_layout(std::span<const Claim> section, int page, int verdict) {
  ClaimLayout layout{.page = page};
  int longest_id = 0, longest_says = 0;
  for (const Claim& claim : section) {
    const int number = display_width(lecture_text(claim));
    layout.lecture = std::max(layout.lecture, std::min(number, widest_number));
    layout.here = std::max(layout.here, std::min(columns_here(claim), widest_number));
    longest_id = std::max(longest_id, display_width(claim.id) + 2);
    longest_says = std::max(longest_says, display_width(translated(claim.says)));
  }
  const int numbers = columns_of_source() + 1 + layout.lecture + gap_columns +
                      display_width(translated("here")) + 1 + layout.here + gap_columns;
  layout.verdict = page - indent - verdict;
  layout.left = layout.verdict - numbers - gap_columns;
  layout.one_line = layout.left >= shortest_left;
  if (!layout.one_line) layout.left = page - indent;
  if (longest_id + 1 + longest_says <= layout.left) layout.id = longest_id;
  return layout;
}

std::vector<std::string> claim_lines(const Claim& claim, const std::string& here,
                                     std::string_view verdict, const ClaimLayout& layout) {
  const int hanging = layout.id > 0 ? layout.id + 1 : indent;
  const std::string sentence = head(claim, layout);
  if (layout.one_line && display_width(sentence) > layout.left)
    if (const auto line = packed_line(claim, sentence, here, verdict, layout)) return {*line};
  const std::string theirs =
      labelled(source(claim), lecture_text(claim), layout.lecture) + spaces(gap_columns);
  const std::string ours =
      here.empty() ? "" : labelled(translated("here"), here, layout.here) + spaces(gap_columns);
  const std::string numbers = theirs + ours + std::string(verdict);

  const int room = layout.page - indent - display_width(numbers);
  // Without a number of ours, why it is missing may take more columns than that would.
  const int left = here.empty() ? std::min(layout.left, room - gap_columns) : layout.left;
  const bool beside = layout.one_line && left >= shortest_left && room >= left + gap_columns;
  std::vector<std::string> lines = wrapped(sentence, beside ? left : layout.page - indent, hanging);
  if (beside) {
    lines[0] = pad(lines[0], left + gap_columns) + numbers;
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
