// Checks a lesson's exercises, whatever stands in my/: the stub is skipped under its own name, the
// solution passes, every mistake fails with its hint, and an answer that is wrong in a way no hint
// knows fails without one, which also shows that the checks call the answer and nothing else. Every
// sentence about an exercise has its Chinese.
//
//   exercises_meta FOLDER NN VERSIONS_PROGRAM      exit code 1 when something is not so
//   exercises_meta show FOLDER NN NAME VERSION     what a learner with that answer is shown
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/core/child.h"
#include "common/core/error.h"
#include "common/lecture/claims/json.h"
#include "common/lecture/page/language.h"
#include "exercises/grading/answers.h"
#include "exercises/grading/page.h"
#include "exercises/grading/verdict.h"

namespace napkin::exercises {
namespace {

const std::string mistakes_folder = "mistakes/", unnamed = "unnamed_";
int faults = 0;

template <class... T>
void complain(fmt::format_string<T...> sentence, T&&... values) {
  fmt::print("  {}\n", fmt::format(sentence, std::forward<T>(values)...));
  ++faults;
}

std::string described(const Verdict& v) {
  const char* const endings[] = {"passed",           "not done",  "failed",
                                 "does not compile", "timed out", "crashed"};
  std::string text = fmt::format("{}, {} of {} checks passed", endings[static_cast<int>(v.ending)],
                                 v.passed, v.checks);
  if (!v.mistake.empty()) text += ", recognised as " + v.mistake;
  if (v.shown && v.shown->reason != Reason::none)
    text += fmt::format(", reason {} ({})", static_cast<int>(v.shown->reason), v.shown->what);
  return text;
}

void expect_version(const Exercise& e, const std::string& version, const Verdict& v) {
  const bool failed = v.ending == Ending::failed && v.shown;
  bool right = false;
  if (version == "stub") {
    right = v.ending == Ending::not_done && v.stub == e.lesson + "/" + e.name;
  } else if (version == "solution") {
    right = v.ending == Ending::passed;
  } else if (version.starts_with(mistakes_folder + unnamed)) {
    right = failed && v.shown->reason == Reason::none && v.mistake.empty();
  } else {
    // KEY, or KEY.otherwise for another way to make the same mistake.
    const std::string file = version.substr(mistakes_folder.size());
    const std::string key = file.substr(0, file.find('.'));
    right = failed && v.mistake == key && !e.hint_for(key).empty();
  }
  if (!right) complain("{} {}: {}", e.name, version, described(v));
}

// Everything that a learner reads of an exercise, in the lesson's zh.json.
void expect_chinese(const Exercise& e, const lecture::Texts& chinese) {
  std::vector<std::string> sentences = {e.title, e.explanation};
  sentences.insert(sentences.end(), e.hints.begin(), e.hints.end());
  for (const auto& [mistake, sentence] : e.mistakes) sentences.push_back(sentence);
  for (const std::string& sentence : sentences) {
    const auto found = chinese.find(sentence);
    if (found == chinese.end() || found->second.empty())
      complain("{}: zh.json lacks \"{}\"", e.name, sentence);
    else if (const auto fault = lecture::placeholder_fault(sentence, found->second))
      complain("{}: zh.json, \"{}\": {}", e.name, sentence, *fault);
  }
}

// What the list, the files and the versions say of each other.
void expect_complete(const Places& places, const Exercise& e,
                     const std::set<std::string>& versions) {
  for (const char* needed : {"stub", "solution"})
    if (!versions.contains(needed)) complain("{}: no {}", e.name, needed);
  for (const auto& [mistake, hint] : e.mistakes)
    if (!versions.contains(mistakes_folder + mistake))
      complain("{}: the mistake {} is listed, but has no file", e.name, mistake);
  const bool has_unnamed = std::any_of(versions.begin(), versions.end(), [](const auto& v) {
    return v.starts_with(mistakes_folder + unnamed);
  });
  if (!has_unnamed) complain("{}: no answer that is wrong in a way no hint knows", e.name);
  const std::string stub = text_of_file(places.stub(e));
  for (const std::string& said :
       std::vector<std::string>{"lecture " + e.section, "my/" + e.file(),
                                "./lecture grade " + e.name, "TODO", "// 题目：", "// 待办："})
    if (stub.find(said) == std::string::npos) complain("{}: its stub lacks \"{}\"", e.name, said);
}

int run(const Places& places, const std::string& number, const std::string& program) {
  const Ended listed = run_program({program});
  check(listed.exit_code == 0, "{} does not list its versions", program);
  std::map<std::string, std::set<std::string>> versions;
  std::istringstream lines(listed.output);
  for (std::string name, version; lines >> name >> version;) versions[name].insert(version);
  const std::vector<Exercise> list = chosen(read_catalogue(places.exercises), number);
  check(versions.size() == list.size(), "{} exercises are listed, but {} are built", list.size(),
        versions.size());
  for (const Exercise& e : list) {
    const int before = faults;
    expect_complete(places, e, versions[e.name]);
    expect_chinese(e, lecture::read_texts(places.exercises + "/" + e.lesson + "/zh.json"));
    for (const std::string& version : versions[e.name])
      expect_version(e, version,
                     judge(run_exercise({program, e.name, version}, limits_for(false))));
    fmt::print("{}: {} versions, {} faults\n", e.name, versions[e.name].size(), faults - before);
  }
  return faults == 0 ? 0 : 1;
}

// The program with the versions is in our own folder.
int show(const Places& places, const std::string& number, const std::string& name,
         const std::string& version) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const Run run =
      run_exercise({folder / ("exercise_versions_" + number), name, version}, limits_for(false));
  print_verdict(chosen(read_catalogue(places.exercises), name).front(), judge(run), true);
  return 0;
}

int dispatch(const std::vector<std::string>& words) {
  if (words.size() == 5 && words[0] == "show")
    return show({words[1], "", ""}, words[2], words[3], words[4]);
  check(words.size() == 3, "exercises_meta FOLDER NN VERSIONS_PROGRAM");
  return run({words[0], "", ""}, words[1], words[2]);
}

}  // namespace
}  // namespace napkin::exercises

int main(int argc, char** argv) {
  try {
    return napkin::exercises::dispatch({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    fmt::print("{}\n", e.what());
    return 1;
  }
}
