// Runs a demo for ctest, and judges its claims one by one.
//
//   claim_check run DEMO_PROGRAM CLAIMS.json OUT.json [flags]   the fixture: runs the demo once
//   claim_check check OUT.json CLAIMS.json ID                   one ctest line
//   claim_check complete OUT.json CLAIMS.json                   each claim reported once, no other
//   claim_check chinese DEMO_PROGRAM [words]                    nothing it says stays English
//   claim_check figures OUT.json DEMO_PROGRAM [words]           a what-if: every number on its page
//   is
//                                                               in its JSON or in the words
//
// `run` succeeds where the demo wrote complete JSON, also when a claim is off, so that one claim
// turns one line red. `check` decides again from the two numbers: a demo cannot call itself ok.
// Exit codes: 0 holds, 1 does not, 77 skipped.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "common/core/child.h"
#include "common/core/error.h"
#include "common/lecture/build.h"
#include "common/lecture/claims/figures.h"
#include "common/lecture/claims/json.h"
#include "common/lecture/claims/text.h"

namespace napkin::lecture {
namespace {

constexpr int holds = 0, fails = 1, skipped = 77;
constexpr int lines_shown = 20;

std::string last_lines(const std::string& text) {
  int ends = 0;
  for (std::size_t i = text.size(); i > 1; --i)
    if (text[i - 2] == '\n' && ++ends == lines_shown) return text.substr(i - 1);
  return text;
}

// What is wrong with a run, or nothing.
std::string fault_of(const Ended& ended, const std::string& claims_file, const std::string& json) {
  if (ended.signal != 0)
    return fmt::format("ended by signal {} ({})", ended.signal, strsignal(ended.signal));
  if (ended.exit_code > 1) return fmt::format("ended with exit code {}", ended.exit_code);
  try {
    const ReportedResults results = read_results(json);
    const std::string demo = read_claims(claims_file).demo;
    check(results.demo == demo, "{} is of {}, not of {}", json, results.demo, demo);
    check(results.lecture_setting, "{}: not the lecture's setting", json);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

int run(const std::string& demo, const std::string& claims_file, const std::string& json,
        const std::vector<std::string>& flags) {
  namespace fs = std::filesystem;
  fs::remove(json);
  if (const fs::path folder = fs::path(json).parent_path(); !folder.empty())
    fs::create_directories(folder);
  std::vector<std::string> words = {demo, "--json", json};
  words.insert(words.end(), flags.begin(), flags.end());
  const Ended ended = run_program(words);
  const std::string fault = fault_of(ended, claims_file, json);
  fmt::print("{}", last_lines(ended.output));
  if (fault.empty()) return holds;
  fs::remove(json);
  fmt::print("\n{}: {}\n", demo, fault);
  return fails;
}

std::string text_of(const std::optional<Value>& value) {
  return value ? plain_text(*value) : "nothing";
}

int judge(const Claim& claim, const Reported& reported) {
  if (reported.verdict == name(Verdict::skipped)) {
    fmt::print("{}: skipped (needs {})\n", claim.id, claim.needs.empty() ? "nothing" : claim.needs);
    return claim.needs.empty() ? fails : skipped;
  }
  if (reported.verdict == name(Verdict::not_checked) && claim.timing && !timing_is_meaningful()) {
    fmt::print("{}: timing is not checked in this build\n", claim.id);
    return skipped;
  }
  if (!reported.got) {
    fmt::print("{}: the demo reported no number\n", claim.id);
    return fails;
  }
  const Verdict verdict = decide(claim, *reported.got);
  fmt::print("{}: {}\n  {}  {}\n  here     {}\n  {}\n", claim.id, claim.says,
             claim.stated ? "lecture" : "derived", text_of(claim.value), text_of(reported.got),
             name(verdict));
  if (verdict == Verdict::off && !claim.hint.empty()) fmt::print("  {}\n", claim.hint);
  if (reported.verdict != name(verdict))
    fmt::print("  the demo called it \"{}\"\n", reported.verdict);
  return verdict != Verdict::off && reported.verdict == name(verdict) ? holds : fails;
}

int check_one(const std::string& json, const std::string& claims_file, const std::string& id) {
  const ClaimFile file = read_claims(claims_file);
  const ReportedResults results = read_results(json);
  check(results.demo == file.demo, "{} is of {}, not of {}", json, results.demo, file.demo);
  const Claim* claim = nullptr;
  for (const Claim& c : file.claims)
    if (c.id == id) claim = &c;
  check(claim != nullptr, "{}: no claim {}", claims_file, id);
  std::vector<const Reported*> reported;
  for (const Reported& r : results.claims)
    if (r.id == id) reported.push_back(&r);
  check(!reported.empty(), "{}: the demo did not report it", id);
  check(reported.size() == 1, "{}: the demo reported it {} times", id, reported.size());
  return judge(*claim, *reported.front());
}

int complete(const std::string& json, const std::string& claims_file) {
  std::map<std::string, int> reports;
  for (const Claim& claim : read_claims(claims_file).claims) reports[claim.id] = 0;
  int faults = 0;
  for (const Reported& r : read_results(json).claims) {
    if (const auto found = reports.find(r.id); found != reports.end()) {
      ++found->second;
    } else {
      fmt::print("{}: reported, but {} has no such claim\n", r.id, claims_file);
      ++faults;
    }
  }
  for (const auto& [id, times] : reports)
    if (times != 1) {
      fmt::print("{}: reported {} times\n", id, times);
      ++faults;
    }
  return faults == 0 ? holds : fails;
}

int chinese(const std::string& demo, const std::vector<std::string>& words_after) {
  setenv("NAPKIN_STRICT_TEXT", "1", 1);
  std::vector<std::string> words = {demo};
  words.insert(words.end(), words_after.begin(), words_after.end());
  words.insert(words.end(), {"--lang", "zh"});
  const Ended ended = run_program(words);
  fmt::print("{}", last_lines(ended.output));
  return ended.signal == 0 && ended.exit_code <= 1 ? holds : fails;
}

int figures(const std::string& json, std::vector<std::string> words) {
  namespace fs = std::filesystem;
  fs::create_directories(fs::path(json).parent_path());
  std::string known;
  for (auto word = words.begin() + 1; word != words.end(); ++word) known += *word + "\n";
  words.insert(words.end(), {"--json", json, "--lang", "en"});
  const Ended ended = run_program(words);
  fmt::print("{}", ended.output);
  if (ended.exit_code != 0) return fails;
  std::ifstream file(json);
  known.append(std::istreambuf_iterator<char>(file), {});
  const std::vector<std::string> unknown = unknown_figures(ended.output, known);
  for (const std::string& figure : unknown)
    fmt::print("{}: on the page, but in none of its values\n", figure);
  return unknown.empty() ? holds : fails;
}

int usage() {
  fmt::print(stderr,
             "claim_check run DEMO_PROGRAM CLAIMS.json OUT.json [flags]\n"
             "claim_check check OUT.json CLAIMS.json ID\n"
             "claim_check complete OUT.json CLAIMS.json\n"
             "claim_check chinese DEMO_PROGRAM [words]\n"
             "claim_check figures OUT.json DEMO_PROGRAM [words]\n");
  return 2;
}

int dispatch(const std::vector<std::string>& words) {
  if (words.size() >= 4 && words[0] == "run")
    return run(words[1], words[2], words[3], {words.begin() + 4, words.end()});
  if (words.size() == 4 && words[0] == "check") return check_one(words[1], words[2], words[3]);
  if (words.size() == 3 && words[0] == "complete") return complete(words[1], words[2]);
  if (words.size() >= 2 && words[0] == "chinese")
    return chinese(words[1], {words.begin() + 2, words.end()});
  if (words.size() >= 3 && words[0] == "figures")
    return figures(words[1], {words.begin() + 2, words.end()});
  return usage();
}

}  // namespace
}  // namespace napkin::lecture

int main(int argc, char** argv) {
  try {
    return napkin::lecture::dispatch({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    fmt::print("{}\n", e.what());
    return 1;
  }
}
