// A first version: runs every section, prints its claims, writes --json.
#include <cstdio>
#include <fstream>
#include <string_view>

#include "common/core/parallel.h"
#include "common/lecture/json.h"
#include "common/lecture/report.h"
#include "common/lecture/text.h"

namespace napkin::lecture {

extern const char* const demo_folder;

namespace {
Results results;
std::string prefix;
Settings current;
}  // namespace

std::string translated(std::string_view english) { return std::string(english); }
void print_line(std::string_view text) { fmt::print("    {}\n", text); }
void gap() { fmt::print("\n"); }
void what_to_see(std::string_view english) { print_line("What to see: " + translated(english)); }
const Settings& settings() { return current; }
void show(std::string_view what, double number, std::string_view unit) {
  print_line(fmt::format("{}  {} {}", what, number, unit));
}
void value(std::string_view name, Value got) { results.values.emplace_back(name, std::move(got)); }

void claim(std::string_view id, Value got) {
  for (Outcome& outcome : results.claims)
    if (outcome.claim.id == prefix + std::string(id)) {
      outcome.verdict = decide(outcome.claim, got);
      print_line(fmt::format("[{}] {}  lecture {}  here {}  {}", outcome.claim.id,
                             outcome.claim.says,
                             outcome.claim.value ? plain_text(*outcome.claim.value) : "-",
                             plain_text(got), name(outcome.verdict)));
      outcome.got = std::move(got);
      return;
    }
}
void skip_claim(std::string_view id, std::string_view why) {
  for (Outcome& outcome : results.claims)
    if (outcome.claim.id == prefix + std::string(id)) {
      outcome.verdict = Verdict::skipped;
      print_line(fmt::format("[{}] {}  skipped: {}", outcome.claim.id, outcome.claim.says, why));
    }
}

Demo::Demo(std::string name, std::string title, std::string sections)
    : name_(std::move(name)), title_(std::move(title)), sections_(std::move(sections)) {}
void Demo::section(std::string number, std::string title, std::function<void()> run) {
  table_of_contents_.push_back({std::move(number), std::move(title), std::move(run)});
}
Command& Demo::command(std::string name, std::string help, std::function<void()> run) {
  commands_.push_back(
      std::make_unique<Command>(Command{std::move(name), std::move(help), std::move(run), {}}));
  return *commands_.back();
}
void Demo::try_next(std::string command_line) { try_next_.push_back(std::move(command_line)); }

int Demo::run(int argc, char** argv) {
  try {
    results.demo = name_;
    results.threads = threads();
    prefix = name_.substr(0, 3);
    prefix[2] = '.';
    for (Claim& c : read_claims(std::string(demo_folder) + "/claims.json").claims)
      results.claims.push_back({std::move(c), {}, Verdict::off, true});
    for (const Section& s : table_of_contents_) {
      fmt::print("\n{} {}\n", s.number, translated(s.title));
      s.run();
    }
    for (int i = 1; i + 1 < argc; ++i)
      if (std::string_view(argv[i]) == "--json") std::ofstream(argv[i + 1]) << to_json(results);
    for (const Outcome& outcome : results.claims)
      if (outcome.verdict == Verdict::off) return 1;
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}: {}\n", name_, e.what());
    return 2;
  }
}

}  // namespace napkin::lecture
