// The exercises' program, behind ./lecture grade, hint, solution and reset, and behind ctest.
//
//   exercises grade [NAME|NN] [--watch] [--sanitize]
//   exercises hint NAME | solution NAME [--anyway] | reset NAME
//   exercises compile NAME | check NAME         the two ctest lines of an exercise
//
// Exit codes: 0 nothing failed, 1 something did, 2 bad usage, 77 (check) not filled in.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <string_view>

#include "common/core/error.h"
#include "common/lecture/claims/json.h"
#include "common/lecture/command_line/command_line.h"
#include "common/lecture/page/language.h"
#include "common/lecture/page/page.h"
#include "exercises/grading/commands.h"

namespace napkin::exercises {
namespace {

struct Asked {
  std::string command, word;
  std::set<std::string> switches;
  bool chinese = lecture::prefers_chinese(std::getenv("LC_ALL"), std::getenv("LC_MESSAGES"),
                                          std::getenv("LANG"));
};

const char* const usage =
    "usage: ./lecture grade [NAME|NN] [--watch] [--sanitize]\n"
    "       ./lecture hint NAME\n"
    "       ./lecture solution NAME [--anyway]\n"
    "       ./lecture reset NAME\n"
    "NAME: an exercise, tensor_bytes; NN: a lesson, 01. --lang en|zh goes with all of them.";

constexpr std::string_view commands[] = {"grade", "hint", "solution", "reset", "compile", "check"};

// What a command knows beside --lang.
std::set<std::string> switches_of(const std::string& command) {
  if (command == "grade") return {"--watch", "--sanitize"};
  if (command == "solution") return {"--anyway"};
  return {};
}

// "there are --lang, --sanitize and --watch"
std::string what_there_is(std::set<std::string> known) {
  if (known.empty()) return "there is --lang";
  known.insert("--lang");
  const std::string last = *known.rbegin();
  known.erase(last);
  return fmt::format("there are {} and {}", fmt::join(known, ", "), last);
}

bool take_language(const std::string& value) {
  check(value == "en" || value == "zh", "--lang {}: there are en and zh", value);
  return value == "zh";
}

Asked read_words(const std::vector<std::string>& words) {
  Asked asked;
  const bool is_named = !words.empty() && !words[0].starts_with("-");
  asked.command = is_named ? words[0] : "grade";
  check(std::ranges::count(commands, asked.command) > 0,
        "there is no command \"{}\"; there are grade, hint, solution and reset", asked.command);
  const std::set<std::string> known = switches_of(asked.command);
  for (std::size_t i = is_named ? 1 : 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--lang") {
      check(i + 1 < words.size(), "--lang wants en or zh");
      asked.chinese = take_language(words[++i]);
    } else if (word.starts_with("--lang=")) {
      asked.chinese = take_language(word.substr(7));
    } else if (word == "--help" || word == "-h") {
      asked.switches.insert("--help");
    } else if (word.starts_with("-")) {
      check(known.contains(word), "{} knows no {}; {}", asked.command, word, what_there_is(known));
      asked.switches.insert(word);
    } else {
      check(asked.word.empty(), "{} takes one name, but got {} and {}", asked.command, asked.word,
            word);
      check(!word.empty(), "{}: the name is empty", asked.command);
      asked.word = word;
    }
  }
  return asked;
}

void speak(const Places& places, const std::vector<Exercise>& all) {
  lecture::speak_chinese();
  std::set<std::string> files = {NAPKIN_TEXTS};
  for (const Exercise& e : all) files.insert(places.exercises + "/" + e.lesson + "/zh.json");
  for (const std::string& file : files) lecture::add_translations(lecture::read_texts(file));
}

// In the tests of the translation: English text in a Chinese run is a failure.
int with_strict_text(int code) {
  if (std::getenv("NAPKIN_STRICT_TEXT") == nullptr) return code;
  for (const std::string& text : lecture::untranslated())
    std::fprintf(stderr, "not in zh.json: %s\n", text.c_str());
  return lecture::untranslated().empty() ? code : refused;
}

int one_of(const Places& places, const Asked& asked, const std::vector<Exercise>& list) {
  check(!asked.word.empty(), "{} wants an exercise's name; \"./lecture grade\" lists them",
        asked.command);
  check(list.size() == 1, "{} wants one exercise, but {} has {}", asked.command, asked.word,
        list.size());
  const Exercise& e = list.front();
  if (asked.command == "hint") return print_hint(places, e);
  if (asked.command == "solution")
    return print_solution(places, e, asked.switches.contains("--anyway"));
  if (asked.command == "reset") return reset_answer(places, e);
  if (asked.command == "compile") return compile_for_ctest(places, e);
  return check_for_ctest(places, e);
}

int run(const Places& places, const std::vector<std::string>& words) {
  const Asked asked = read_words(words);
  const std::vector<Exercise> all = read_catalogue(places.exercises);
  if (asked.chinese) speak(places, all);
  if (asked.switches.contains("--help")) {
    lecture::put_line(lecture::translated(usage));
    return with_strict_text(all_well);
  }
  add_missing_stubs(places, all);
  const std::vector<Exercise> list = asked.word.empty() ? all : chosen(all, asked.word);
  if (asked.command != "grade") return with_strict_text(one_of(places, asked, list));
  const bool sanitized = asked.switches.contains("--sanitize");
  if (asked.switches.contains("--watch")) return watch(places, list, sanitized);
  lecture::set_silent_without_reader(true);  // the exit code tells all the same
  return with_strict_text(grade_and_print(places, list, sanitized));
}

// Of input, output and error none is left closed: a pipe would take its place.
void fill_standard_descriptors() {
  for (int file = 0; file <= 2; ++file)
    if (fcntl(file, F_GETFD) < 0) open("/dev/null", O_RDONLY);  // writing still fails
}

}  // namespace
}  // namespace napkin::exercises

int main(int argc, char** argv) {
  napkin::exercises::fill_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return napkin::exercises::run({NAPKIN_EXERCISES, NAPKIN_ANSWERS, NAPKIN_BUILD},
                                  {argv + 1, argv + argc});
  } catch (const napkin::lecture::ReaderGone&) {
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "exercises: %s\n", napkin::lecture::without_controls(e.what()).c_str());
    return napkin::exercises::refused;
  }
}
