// The command line of every demo: which flags there are, what was given, and what the help says.
//
// Our own rather than a library's, so that `--shape=` and `--shape ""` are the empty list,
// `--shape -1,2` is a value, an unknown flag is answered with the nearest one, and every refusal is
// one sentence that names what was given.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/lecture/report.h"

namespace napkin::lecture {

// What a demo accepts beyond the common flags.
struct Accepted {
  std::string name, title;
  const std::vector<Input>& inputs;
  const std::vector<std::unique_ptr<Command>>& commands;
};

struct CommonFlag {
  std::string_view name, value, help;  // no value: a switch
};
inline constexpr std::array<CommonFlag, 13> common_flags = {{
    {"--section", "S", "only section S of the lecture (2.3; 2 for all of 2)"},
    {"--list", "", "list the sections and stop"},
    {"--device", "D", "cpu or cuda: where tensors live"},
    {"--threads", "N", "threads to use, 1 to 1024 (default: all cores)"},
    {"--seed", "N", "seed of the random numbers"},
    {"--json", "FILE", "write the claims, their verdicts and named values as JSON"},
    {"--plot", "DIR", "write the pictures as SVG into this folder"},
    {"--lang", "L", "en or zh (default: from LC_ALL or LANG)"},
    {"--quick", "", "smaller sizes and fewer repeats where time is measured"},
    {"--claims", "", "a line for each claim, those that a table shows, too"},
    {"--quiet", "", "print only what is off, and the last line"},
    {"--help", "", "print this page and stop (after a subcommand: its page)"},
    {"-h", "", ""},
}};

// What was asked for. Inputs have been written to their targets.
struct Asked {
  bool help = false, list = false, quick = false, claims = false, quiet = false;
  const Command* command = nullptr;
  std::optional<std::string> section, json, plot_folder;
  std::optional<Device> device;
  std::optional<bool> chinese;
  std::optional<int> threads;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> changed_inputs;  // flags whose value is not the default
  std::set<std::string, std::less<>> given;
};

// Refuses (napkin::Error) unknown flags and words, missing and unusable values, and inputs that do
// not belong to the subcommand.
Asked read_command_line(const Accepted& accepted, int argc, char** argv);

// What --help prints, in the chosen language: of the demo, or of one subcommand.
std::string help_text(const Accepted& accepted, const Command* command);

}  // namespace napkin::lecture
