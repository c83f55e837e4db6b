// Two languages: the English text in the sources is the key under which zh.json holds the Chinese.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace napkin::lecture {

// Whether the user's locale is Chinese in UTF-8: LC_ALL, else LC_MESSAGES, else LANG decides, the
// first that is set (null and "" are not).
bool prefers_chinese(const char* lc_all, const char* lc_messages, const char* lang);

using Texts = std::map<std::string, std::string, std::less<>>;

// Adds the translations; one that lacks a {} of its English text, or has another, is left out and
// counts as untranslated, so that a wrong zh.json cannot stop a demo.
void add_translations(const Texts& texts);

// What is wrong with the {} of a translation, if anything: they must take the same values with the
// same formats. Where the order differs, the translation numbers them: {1}, {0:.3}.
std::optional<std::string> placeholder_fault(std::string_view english, std::string_view other);

// The translation, else the text itself, which is then noted as untranslated (unless it has no
// word to translate, or the run is in English).
std::string translated(std::string_view english);

// Notes a line that reads like English prose in a Chinese run: text that bypassed translated().
void note_english(std::string_view line);

// All that was noted.
const std::set<std::string>& untranslated();

// Translate from now on.
void speak_chinese();

}  // namespace napkin::lecture
