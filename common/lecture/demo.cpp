// A demo from its command line to its exit code.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

#include "common/core/machine.h"
#include "common/core/parallel.h"
#include "common/core/whole_file.h"
#include "common/lecture/command_line/command_line.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/data_file.h"
#include "common/lecture/page/language.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/width.h"
#include "common/lecture/run.h"
#include "common/lecture/sections.h"

namespace napkin::lecture {
namespace {

constexpr int all_hold = 0, one_is_off = 1, refused = 2;

int complain(const std::string& demo, std::string_view sentence) {
  std::fputs(fmt::format("{}: {}\n", demo, without_controls(sentence)).c_str(), stderr);
  return refused;
}

void choose_language(const std::string& demo, std::optional<bool> chinese) {
  const bool wanted = chinese.value_or(
      prefers_chinese(std::getenv("LC_ALL"), std::getenv("LC_MESSAGES"), std::getenv("LANG")));
  current_run().settings.chinese = wanted;
  if (!wanted) return;
  speak_chinese();
  for (const std::string& file : {common_file("zh.json"), demo_file(demo, "zh.json")})
    if (std::filesystem::exists(file)) add_translations(read_texts(file));
}

// Runs a check of a path; a refusal names the flag too.
void check_path(std::string_view flag, const std::optional<std::string>& path,
                void (*check_it)(const std::string&)) {
  if (!path) return;
  try {
    check_it(*path);
  } catch (const Error& e) {
    fail("{} {}", flag, e.what());
  }
}

// Refuses what can be refused before the first line is printed; the folder comes last, as it is
// the only thing that stays.
void check_asked(const Asked& asked) {
  if (asked.device == Device::cuda) check(this_gpu().usable, "--device cuda: {}", this_gpu().name);
  if (asked.threads)
    with_flag("--threads", fmt::format("{}", *asked.threads), [&] { set_threads(*asked.threads); });
  check_path("--json", asked.json, check_file_writable);
  check_path("--plot", asked.plot_folder, make_writable_folder);
}

void apply(const Asked& asked, const std::string& demo, std::optional<std::uint64_t> lecture_seed) {
  const std::uint64_t seed = lecture_seed.value_or(0);
  Run& run = current_run();
  Settings& s = run.settings;
  s.device = asked.device.value_or(Device::cpu);
  s.threads = threads();
  s.seed = asked.seed.value_or(seed);
  s.quick = asked.quick;
  s.claims = asked.claims;
  s.quiet = asked.quiet;
  s.plot_folder = asked.plot_folder.value_or("");
  s.lecture_setting =
      !asked.command && asked.changed_inputs.empty() && (!lecture_seed || s.seed == *lecture_seed);
  run.given_flags = asked.given;
  run.what_if = asked.command != nullptr;
  run.results.demo = demo;
  run.results.device = name(s.device);
  run.results.threads = s.threads;
  run.results.seed = s.seed;
  run.results.lecture_setting = s.lecture_setting;
  set_quiet(s.quiet);
  set_silent_without_reader(asked.json.has_value());
}

// Asked after the first line has been printed: waking a GPU takes longer.
void find_gpu(const Asked& asked) {
  current_run().settings.gpu = asked.device != Device::cpu && this_gpu().usable;
}

void say_if_no_picture() {
  const Run& run = current_run();
  if (!run.settings.plot_folder.empty() && run.pictures == 0)
    print_text(translated("--plot: no picture in this part"));
}

// In the tests of the translation: English text in a Chinese run is a failure.
void check_translation(const Accepted& accepted) {
  if (std::getenv("NAPKIN_STRICT_TEXT") == nullptr) return;
  help_text(accepted, nullptr);
  for (const auto& command : accepted.commands) help_text(accepted, command.get());
  for (const Outcome& outcome : current_run().results.claims) translated(outcome.claim.hint);
  for (const std::string& text : untranslated())
    std::fputs(fmt::format("not in zh.json: {}\n", text).c_str(), stderr);
  check(untranslated().empty(), "{} texts are not translated", untranslated().size());
}

}  // namespace

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
  std::signal(SIGPIPE, SIG_IGN);  // "| head" is told by write() instead,
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file past "ulimit -f"
  try {
    return run_or_throw(argc, argv);
  } catch (const ReaderGone&) {
    return all_hold;
  } catch (const std::bad_alloc&) {
    return complain(name_, "the machine has not enough memory for this");
  } catch (const std::exception& e) {
    return complain(name_, e.what());
  } catch (...) {
    return complain(name_, "ended by something that is not a std::exception");
  }
}

int Demo::run_or_throw(int argc, char** argv) {
  const Accepted accepted{name_, title_, inputs_, commands_};
  const Asked asked = read_command_line(accepted, argc, argv);
  choose_language(name_, asked.chinese);
  if (asked.help) {
    put_line(help_text(accepted, asked.command));
    return all_hold;
  }
  if (asked.list) {
    for (const Section& s : table_of_contents_)
      put_line(fmt::format("{}  {}", pad(s.number, 5), translated(s.title)));
    return all_hold;
  }
  std::vector<const Section*> chosen;
  for (const Section& s : table_of_contents_) chosen.push_back(&s);
  if (asked.section) chosen = sections_of(table_of_contents_, *asked.section);
  check_asked(asked);
  apply(asked, name_, lecture_seed_);
  if (asked.command) {
    find_gpu(asked);
    asked.command->run();
    say_if_no_picture();
  } else {
    for (const Section& check : checks_)
      if (std::ranges::any_of(chosen, [&](auto* s) { return is_within(s->number, check.number); }))
        check.run();
    load_claims(name_);
    print_title(name_, title_, sections_);
    find_gpu(asked);
    print_machine(chosen);
    run_sections(chosen, !asked.section);
  }
  check_translation(accepted);
  if (asked.json) write_whole_file(*asked.json, to_json(current_run().results));
  return !asked.command && something_is_off() ? one_is_off : all_hold;
}

void Demo::run_sections(const std::vector<const Section*>& chosen, bool all) {
  for (const Section* s : chosen) run_section(*s);
  settle_claims(all);
  say_if_no_picture();
  print_summary();
  if (!all || settings().quiet) return;
  for (const std::string& line : try_next_)
    put_line(pad(&line == &try_next_.front() ? translated("Try:") : "", 6) + line);
}

}  // namespace napkin::lecture
