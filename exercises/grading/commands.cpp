#include "exercises/grading/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "common/core/error.h"
#include "common/core/whole_file.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/width.h"
#include "common/lecture/report.h"
#include "exercises/grading/compile.h"
#include "exercises/grading/page.h"

namespace napkin::exercises {
namespace {

namespace fs = std::filesystem;
using lecture::phrase;
using lecture::put_line;
using lecture::translated;

void print_wrapped(std::string_view text, int hanging = 0) {
  for (const std::string& line : lecture::wrapped(text, lecture::columns(), hanging))
    put_line(line);
}

using Verdicts = std::map<std::string, Verdict>;  // one for each exercise, by name

// The verdict on a program that is compiled already.
Verdict run_and_judge(const Places& places, const Exercise& e, bool sanitized) {
  return judge(run_exercise({program_of(places, e, sanitized)}, limits_for(sanitized)));
}

// Answers that still are stubs are not compiled.
Verdicts grade(const Places& places, const std::vector<Exercise>& list, bool sanitized) {
  Verdicts verdicts;
  std::vector<Exercise> edited;
  for (const Exercise& e : list) {
    Verdict& verdict = verdicts[e.name];
    try {
      if (is_untouched(places, e))
        verdict.ending = Ending::not_done;
      else
        edited.push_back(e);
    } catch (const Error& why) {  // a folder, or not to be read: the others are graded all the same
      verdict.ending = Ending::does_not_compile;
      verdict.fault.reason = why.what();
    }
  }
  const auto faults = compile(places, edited, sanitized);
  for (const Exercise& e : edited) {
    if (const auto fault = faults.find(e.name); fault != faults.end()) {
      verdicts[e.name].ending = Ending::does_not_compile;
      verdicts[e.name].fault = fault->second;
    } else {
      verdicts[e.name] = run_and_judge(places, e, sanitized);
    }
  }
  return verdicts;
}

bool is_bad(const Verdict& v) { return v.ending != Ending::passed && v.ending != Ending::not_done; }

// Where to go on: the first one that is not done, else the first that is not right.
void print_next(const std::vector<Exercise>& list, const Verdicts& verdicts) {
  for (const Exercise& e : list) {
    if (verdicts.at(e.name).ending != Ending::not_done) continue;
    put_line(phrase("Next: {} ({}), then ./lecture grade {}", "my/" + e.file(), translated(e.title),
                    e.name));
    return;
  }
  for (const Exercise& e : list) {
    if (!is_bad(verdicts.at(e.name))) continue;
    put_line(
        phrase("Next: {0} ({1}); ./lecture hint {2} helps, ./lecture grade {2} judges it alone",
               "my/" + e.file(), translated(e.title), e.name));
    return;
  }
}

// How many are done, of more than one.
void print_standing(const std::vector<Exercise>& list, const Verdicts& verdicts) {
  if (list.size() < 2) return;
  const auto done = std::count_if(verdicts.begin(), verdicts.end(), [](const auto& named) {
    return named.second.ending == Ending::passed;
  });
  put_line("");
  print_progress(static_cast<int>(done), static_cast<int>(list.size()));
  print_next(list, verdicts);
}

Verdicts graded_and_printed(const Places& places, const std::vector<Exercise>& list,
                            bool sanitized) {
  const Verdicts verdicts = grade(places, list, sanitized);
  std::string lesson;
  for (const Exercise& e : list) {
    if (e.lesson != lesson) put_line(lesson = e.lesson);
    print_verdict(e, verdicts.at(e.name), list.size() == 1);
  }
  return verdicts;
}

// The file's text as it was last seen, or nothing where it cannot be read.
std::optional<std::string> seen(const Places& places, const Exercise& e) {
  try {
    return text_of_file(places.answer(e));
  } catch (const Error&) {
    return std::nullopt;
  }
}

struct Watched {
  Exercise exercise;
  std::optional<std::string> text;  // as it was last seen
  int missed = 0;                   // looks in a row that found nothing
};

// Whether it is to be graded again. Says once that the file is gone.
bool has_news(const Places& places, Watched& file) {
  const auto now = seen(places, file.exercise);
  if (!now) {
    if (++file.missed != 2) return false;  // at first an editor may be replacing it
    file.text.reset();
    put_line(phrase("{0} is gone. Save it again, or take the stub: ./lecture reset {1}",
                    "my/" + file.exercise.file(), file.exercise.name));
    return false;
  }
  file.missed = 0;
  return std::exchange(file.text, now) != now;
}

}  // namespace

int grade_and_print(const Places& places, const std::vector<Exercise>& list, bool sanitized) {
  const auto verdicts = graded_and_printed(places, list, sanitized);
  print_standing(list, verdicts);
  const auto bad = [](const auto& named) { return is_bad(named.second); };
  return std::any_of(verdicts.begin(), verdicts.end(), bad) ? some_failed : all_well;
}

int watch(const Places& places, const std::vector<Exercise>& list, bool sanitized) {
  std::vector<Watched> files;  // as they are before they are graded: one may be saved meanwhile
  for (const Exercise& e : list) files.push_back({e, seen(places, e)});
  Verdicts verdicts = graded_and_printed(places, list, sanitized);
  print_standing(list, verdicts);
  put_line(translated("Watching my/; an exercise is graded when its file is saved. Ctrl-C ends."));
  for (;;) {
    for (Watched& file : files) {
      if (!has_news(places, file)) continue;
      put_line("");
      try {
        const std::string& name = file.exercise.name;
        verdicts[name] = graded_and_printed(places, {file.exercise}, sanitized).at(name);
        print_standing(list, verdicts);
      } catch (const Error& why) {  // the file may be gone again
        std::fprintf(stderr, "exercises: %s\n", why.what());
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
}

int print_hint(const Places& places, const Exercise& e) {
  const std::string file = places.notes("asked_" + e.name);
  std::error_code none;
  const int before = fs::exists(file, none) ? 1 : 0;
  put_line(fmt::format("{} ({})", translated(e.title), phrase("lecture {}", e.section)));
  for (int i = 0; i <= before; ++i)
    print_wrapped(fmt::format("  {}. {}", i + 1, translated(e.hints[static_cast<std::size_t>(i)])),
                  5);
  if (before > 0) return all_well;
  put_line(phrase("More, when asked once again: ./lecture hint {}", e.name));
  write_whole_file(file, "1\n");
  return all_well;
}

int print_solution(const Places& places, const Exercise& e, bool anyway) {
  if (!anyway && grade(places, {e}, false).at(e.name).ending != Ending::passed) {
    put_line(
        phrase("{0} has not passed yet. To see the solution all the same: ./lecture solution "
               "{0} --anyway",
               e.name));
    return some_failed;
  }
  print_wrapped(translated(e.explanation));
  put_line("");
  std::istringstream lines(text_of_file(places.solution(e)));
  for (std::string line; std::getline(lines, line);) put_line(line);
  return all_well;
}

int reset_answer(const Places& places, const Exercise& e) {
  const std::string kept = reset(places, e);
  std::error_code none;
  fs::remove(places.notes("asked_" + e.name), none);
  if (kept.empty())
    put_line(phrase("{} is the stub already.", "my/" + e.file()));
  else
    print_wrapped(phrase("{} is the stub again; your text is kept in {}", "my/" + e.file(),
                         kept.substr(places.answers.size() + 1)));
  return all_well;
}

int compile_for_ctest(const Places& places, const Exercise& e) {
  if (is_untouched(places, e)) {
    put_line(phrase("{}: not filled in yet", "my/" + e.file()));
    return all_well;
  }
  const auto faults = compile(places, {e}, false);
  if (faults.empty()) return all_well;
  Verdict verdict;
  verdict.ending = Ending::does_not_compile;
  verdict.fault = faults.at(e.name);
  print_verdict(e, verdict, true);
  return some_failed;
}

int check_for_ctest(const Places& places, const Exercise& e) {
  Verdict verdict;
  if (is_untouched(places, e)) {
    verdict.ending = Ending::not_done;
  } else {
    check(is_compiled(places, e, false),
          "{} has changed since it was compiled; ctest -R {} does both", "my/" + e.file(), e.name);
    verdict = run_and_judge(places, e, false);
  }
  print_verdict(e, verdict, true);
  return is_bad(verdict) ? some_failed : verdict.ending == Ending::not_done ? skipped : all_well;
}

}  // namespace napkin::exercises
