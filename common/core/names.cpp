#include "common/core/names.h"

#include <algorithm>
#include <numeric>

#include "common/core/error.h"
#include "common/core/joined.h"

namespace napkin {
namespace {

char plain(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == ' ' || c == '-' ? '_' : c;
}

std::string plain(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = plain(c);
  return result;
}

// Levenshtein's distance, one row at a time.
std::size_t letters_changed(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t kept = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({kept, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return plain(x) == plain(y); });
}

std::optional<std::string> nearest(std::string_view given, const std::vector<std::string>& names) {
  const std::string wanted = plain(given);
  const std::size_t dashes = std::min(wanted.find_first_not_of('_'), wanted.size());
  const std::size_t length = wanted.size() - dashes;
  if (length == 0) return std::nullopt;
  for (const std::string& name : names)
    if (plain(name).starts_with(wanted)) return name;
  std::optional<std::string> best;
  std::size_t fewest = std::min(length - 1, length / 3 + 1);  // more is another word, not a slip
  for (const std::string& name : names) {
    const std::size_t changed = letters_changed(wanted, plain(name));
    if (changed < fewest || (changed == fewest && !best)) {
      fewest = changed;
      best = name;
    }
  }
  return best;
}

void refuse_name(std::string_view what, std::string_view text,
                 const std::vector<std::string>& names, std::source_location where) {
  const auto near = nearest(text, names);
  throw Error(
      fmt::format("{} \"{}\" does not exist{}: {}", what, text,
                  near ? fmt::format(" (did you mean {}?)", *near) : "", joined(names, ", ")),
      where);
}

}  // namespace napkin
