// For the tests: patterns and sizes as reference/named_axes.py writes them in one word.
#pragma once
#include <string>
#include <vector>

#include "common/einops/recipe.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin::recorded {

inline std::string pattern(const Case& c) {
  std::string text = c.get<std::string>(1).substr(1);
  for (char& letter : text) letter = letter == '~' ? ' ' : letter == '^' ? '\t' : letter;
  return text;
}

// "h=2,w=3" or "-"; the names are parts of the case.
inline std::vector<AxisSize> sizes(const Case& c) {
  const std::string& word = c.get<std::string>(3);
  std::vector<AxisSize> all;
  if (word == "-") return all;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t equals = word.find('=', at), end = std::min(word.find(',', at), word.size());
    all.push_back({std::string_view(word).substr(at, equals - at),
                   std::stoll(word.substr(equals + 1, end - equals - 1))});
    at = end + 1;
  }
  return all;
}

}  // namespace napkin::recorded
