#include "exercises/grading/compile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <utility>

#include "common/core/child.h"
#include "common/core/error.h"
#include "common/core/utf8.h"
#include "common/core/whole_file.h"
#include "common/lecture/report.h"
#include "exercises/grading/source_text.h"

namespace napkin::exercises {
namespace {

namespace fs = std::filesystem;
using lecture::phrase;

constexpr std::size_t lines_shown = 8, lines_of_others = 3, longest_line = 400;
// Of a build's output: what tells most stands first, and templates make it long.
constexpr std::size_t output_kept = 1 << 24;

bool has(std::string_view line, std::string_view part) { return line.find(part) != line.npos; }

// Held while something is built; ./lecture takes the same one.
class BuildLock {
 public:
  explicit BuildLock(const Places& places)
      : file_(open((places.build + "/.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    std::fputs("Another build is going on here; waiting for it.\n", stderr);
    flock(file_, LOCK_EX);
  }
  ~BuildLock() {
    if (file_ >= 0) close(file_);
  }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  int file_;
};

std::string stamp_of(const Places& places, const Exercise& e, bool sanitized) {
  return places.notes(target_of(e, sanitized) + ".stamp");
}

// The stamp is the text that was compiled: a new text is compiled whatever its date says. The
// program of the old one goes first, so that it is not taken for the new one's if the build is
// interrupted.
void renew_stamp(const Places& places, const Exercise& e, bool sanitized) {
  std::error_code none;
  const std::string stamp = stamp_of(places, e, sanitized), text = text_of_file(places.answer(e));
  if (fs::exists(stamp, none) && text_of_file(stamp) == text) return;
  fs::remove(program_of(places, e, sanitized), none);
  write_whole_file(stamp, text);
}

Ended build(const Places& places, const std::vector<std::string>& targets) {
  std::vector<std::string> words = {NAPKIN_CMAKE,
                                    "--build",
                                    places.build,
                                    "--parallel",
                                    std::to_string(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))),
                                    "--target"};
  words.insert(words.end(), targets.begin(), targets.end());
  // One that does not compile keeps none of the others from being built.
  words.emplace_back("--");
  words.emplace_back("-k");
  if (has(NAPKIN_GENERATOR, "Ninja")) words.emplace_back("0");
  return run_program(words, output_kept);
}

bool is_error(std::string_view line) { return has(line, "error:") || has(line, "错误："); }

bool tells_something(std::string_view line) {
  return is_error(line) || has(line, "undefined reference") || has(line, "multiple definition of");
}

// A template of a header was used there.
bool is_use(std::string_view line) {
  return has(line, "required from") || has(line, "requested here");
}

bool defines_main_again(std::string_view line) {
  return has(line, "multiple definition of `main'") || has(line, "duplicate symbol: main");
}

// Lines of the build program itself.
bool is_noise(std::string_view line) {
  return line.starts_with("[") || line.starts_with("FAILED:") || line.starts_with("ninja:") ||
         line.starts_with("make") || line.starts_with("gmake");
}

// As a learner would name the file; not longer than can be read.
std::string readable(std::string line, const std::string& root) {
  for (std::size_t at; (at = line.find(root + "/")) != std::string::npos;)
    line.erase(at, root.size() + 1);
  while (line.starts_with("../")) line.erase(0, 3);
  return line.size() > longest_line ? std::string(shortened(line, longest_line)) + " ..." : line;
}

// Where a build's errors lie.
struct Findings {
  std::string first;        // error that is no linker's
  bool in_answer = false;   // an error's line is the answer's
  std::string from_answer;  // the line of the answer that a header was used from
  bool in_checks = false;   // an error's line is the checks', or a header was used from there
  bool second_main = false;
};

Findings findings_of(const std::string& output, const std::string& root, const std::string& mine) {
  Findings found;
  const std::string checks = "/checks/" + fs::path(mine).stem().string() + ".cpp:";
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) {
    line = readable(std::move(line), root);
    const bool of_answer = line.starts_with(mine + ":");
    if ((is_error(line) || is_use(line)) && has(line, checks)) found.in_checks = true;
    if (is_error(line) && !has(line, "ld returned")) {
      if (found.first.empty()) found.first = line;
      found.in_answer = found.in_answer || of_answer;
    } else if (of_answer && found.from_answer.empty() && is_use(line)) {
      found.from_answer = line;
    }
    found.second_main = found.second_main || defines_main_again(line);
  }
  return found;
}

}  // namespace

std::string target_of(const Exercise& e, bool sanitized) {
  return e.target() + (sanitized ? "_sanitized" : "");
}

std::string program_of(const Places& places, const Exercise& e, bool sanitized) {
  return places.notes(target_of(e, sanitized));
}

std::vector<std::string> first_messages(const std::string& output, const std::string& root) {
  std::vector<std::string> lines, others;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line) && lines.size() < lines_shown;) {
    if (is_noise(line)) continue;
    const bool begun = !lines.empty() || tells_something(line);
    (begun ? lines : others).push_back(readable(std::move(line), root));
  }
  if (!lines.empty()) return lines;
  // In another language, or the linker's: the last words then.
  if (others.size() > lines_shown) others.erase(others.begin(), others.end() - lines_shown);
  return others;
}

Fault explained(const std::string& output, const std::string& root, const std::string& file) {
  Fault fault{{}, first_messages(output, root)};
  const std::string mine = "my/" + file;
  const Findings found = findings_of(output, root, mine);
  if (found.second_main)
    fault.reason = phrase("{} defines main; the checks have a main function already.", mine);
  else if (found.in_answer || found.first.empty())
    return fault;
  else if (!found.from_answer.empty())  // in a header, for something that the answer wrote
    fault.compiler.insert(fault.compiler.begin(), found.from_answer);
  else if (!found.in_checks)
    return fault;
  else if (has(found.first, "rror: expected"))
    fault.reason = phrase("{} ends in the middle of something: is a ; or a }} missing?", mine);
  else
    fault.reason =
        phrase("{} does not define what the checks call (see {}).", mine, "exercises/" + file);
  const std::size_t shown = fault.reason.empty() ? lines_shown : lines_of_others;
  if (fault.compiler.size() > shown) fault.compiler.resize(shown);
  return fault;
}

// Of a text that a compiler would only stumble over.
static std::string why_no_code(const Places& places, const Exercise& e) {
  const std::string text = text_of_file(places.answer(e)), mine = "my/" + e.file();
  if (is_utf16(text))
    return phrase("{} is saved as UTF-16 or is no text at all; save it as UTF-8.", mine);
  if (is_blank(text))
    return phrase("{} is empty; its stub comes back with ./lecture reset {}", mine, e.name);
  return {};
}

// What the text itself shows is surer than what the compiler makes of it.
static void put_first(Fault& fault, std::string reason) {
  if (reason.empty()) return;
  fault.reason = std::move(reason);
  if (fault.compiler.size() > lines_of_others) fault.compiler.resize(lines_of_others);
}

std::map<std::string, Fault> compile(const Places& places, const std::vector<Exercise>& list,
                                     bool sanitized) {
  std::map<std::string, Fault> faults;
  if (list.empty()) return faults;
  const BuildLock lock(places);
  std::vector<std::string> targets;
  for (const Exercise& e : list) {
    renew_stamp(places, e, sanitized);
    const std::string reason = why_no_code(places, e);
    if (reason.empty())
      targets.push_back(target_of(e, sanitized));
    else
      faults[e.name] = {reason, {}};
  }
  if (targets.empty() || build(places, targets).exit_code == 0) return faults;
  for (const Exercise& e : list) {
    if (faults.contains(e.name)) continue;
    const Ended ended = build(places, {target_of(e, sanitized)});
    if (ended.exit_code == 0) continue;
    std::error_code none;
    fs::remove(program_of(places, e, sanitized), none);
    faults[e.name] = explained(ended.output, places.answers, e.file());
    put_first(faults[e.name], what_is_unfinished(text_of_file(places.answer(e)), "my/" + e.file()));
    check(!faults[e.name].compiler.empty(), "{} could not be built, and nothing says why",
          target_of(e, sanitized));
  }
  return faults;
}

bool is_compiled(const Places& places, const Exercise& e, bool sanitized) {
  std::error_code none;
  const std::string stamp = stamp_of(places, e, sanitized);
  return fs::exists(program_of(places, e, sanitized), none) && fs::exists(stamp, none) &&
         text_of_file(stamp) == text_of_file(places.answer(e));
}

}  // namespace napkin::exercises
