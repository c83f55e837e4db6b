#include "common/lecture/page/language.h"

#include "common/core/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace napkin::lecture {
namespace {

bool chinese = false;
Texts translations;
std::set<std::string> missing;

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_small_letter(c) || (c >= 'A' && c <= 'Z'); }

// The values that a format string takes, in the order of the values: "1:.3" for {1:.3}. An
// unnumbered {} takes the next one.
std::vector<std::string> placeholders(std::string_view text) {
  std::vector<std::string> found;
  int next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' && text[i] != '}') continue;
    const bool doubled = i + 1 < text.size() && text[i + 1] == text[i];
    const std::size_t end = text.find('}', i);
    if (doubled || text[i] == '}' || end == std::string_view::npos) {
      if (!doubled) found.push_back("a brace of its own");
      ++i;
      continue;
    }
    const std::string_view inside = text.substr(i + 1, end - i - 1);
    const bool numbered = !inside.empty() && inside[0] >= '0' && inside[0] <= '9';
    found.push_back(numbered ? std::string(inside) : fmt::format("{}{}", next++, inside));
    i = end;
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Three words of small letters in a row are prose; formulas, code and names hardly have them.
bool reads_like_english(std::string_view line) {
  int words = 0, letters = 0;
  for (const char c : line) {
    if (is_small_letter(c)) {
      ++letters;
      continue;
    }
    words = c == ' ' && letters >= 2 ? words + 1 : 0;
    letters = 0;
    if (words == 3) return true;
  }
  return words == 2 && letters >= 2;
}

// Two small letters in a row: "4 x 3", "GB" and "MiB" need no translation.
bool has_a_word(std::string_view text) {
  const auto both_small = [](char a, char b) { return is_small_letter(a) && is_small_letter(b); };
  return std::adjacent_find(text.begin(), text.end(), both_small) != text.end();
}

bool has_wide_characters(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0xE3;  // the first bytes of U+3000 and above
  });
}

}  // namespace

bool prefers_chinese(const char* lc_all, const char* lc_messages, const char* lang) {
  for (const char* variable : {lc_all, lc_messages, lang}) {
    if (variable == nullptr || *variable == '\0') continue;
    const std::string_view locale = variable;
    if (!locale.starts_with("zh") || (locale.size() > 2 && is_letter(locale[2]))) return false;
    const std::size_t dot = locale.find('.');
    if (dot == std::string_view::npos) return true;
    const std::string_view coding = locale.substr(dot + 1, locale.find('@') - dot - 1);
    return coding == "UTF-8" || coding == "utf8" || coding == "utf-8" || coding == "UTF8";
  }
  return false;
}

void add_translations(const Texts& texts) {
  for (const auto& [english, other] : texts)
    if (!placeholder_fault(english, other)) translations[english] = other;
}

std::optional<std::string> placeholder_fault(std::string_view english, std::string_view other) {
  const std::vector<std::string> wanted = placeholders(english), given = placeholders(other);
  if (wanted == given) return std::nullopt;
  return fmt::format("takes {{{}}} where the English text takes {{{}}}", joined(given, "} {"),
                     joined(wanted, "} {"));
}

std::string translated(std::string_view english) {
  if (!chinese) return std::string(english);
  if (const auto found = translations.find(english); found != translations.end())
    return found->second;
  if (has_a_word(english)) missing.emplace(english);
  return std::string(english);
}

void note_english(std::string_view line) {
  if (chinese && !has_wide_characters(line) && reads_like_english(line)) missing.emplace(line);
}

const std::set<std::string>& untranslated() { return missing; }

void speak_chinese() { chinese = true; }

}  // namespace napkin::lecture
