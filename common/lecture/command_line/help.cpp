#include <algorithm>

#include "common/lecture/command_line/command_line.h"
#include "common/lecture/command_line/inputs.h"
#include "common/lecture/page/width.h"

namespace napkin::lecture {
namespace {

constexpr int help_width = 80;

// "  --rows N              rows of the matrix (default 12288)"
struct Entry {
  std::string left, right;
};

void append(std::string& page, const std::string& heading, const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  int left = 0;
  for (const Entry& entry : entries) left = std::max(left, display_width(entry.left));
  page += "\n" + heading + "\n";
  for (const Entry& entry : entries) {
    const std::string text = "  " + pad(entry.left, left) + "  " + entry.right;
    for (const std::string& line : wrapped(text, help_width, left + 4)) page += line + "\n";
  }
}

std::vector<Entry> inputs_of(const std::vector<Input>& inputs) {
  std::vector<Entry> entries;
  for (const Input& input : inputs) {
    const std::string value(placeholder(input.target));
    const std::string standard = input_text(input.target);
    std::string help = translated(input.help);
    if (input.required) help += translated(" (required)");
    if (!input.required && !standard.empty()) help += phrase(" (default {})", standard);
    entries.push_back({value.empty() ? input.flag : input.flag + " " + value, std::move(help)});
  }
  return entries;
}

std::vector<Entry> common_entries() {
  std::vector<Entry> entries;
  for (const CommonFlag& flag : common_flags)
    if (!flag.help.empty())
      entries.push_back(
          {fmt::format("{}{}{}", flag.name, flag.value.empty() ? "" : " ", flag.value),
           translated(flag.help)});
  return entries;
}

std::string use_of(const Input& input) {
  const std::string_view value = placeholder(input.target);
  const bool positional = !input.flag.starts_with('-');
  std::string use = input.flag;
  if (positional && is_gathering(input.target)) use += "...";
  if (!positional && !value.empty()) use += fmt::format(" {}", value);
  return input.required ? use : fmt::format("[{}]", use);
}

std::string help_of(const Accepted& accepted, const Command& command) {
  std::string use = phrase("Usage: {} {}", accepted.name, command.name);
  for (const Input& input : command.inputs) use += fmt::format(" {}", use_of(input));
  std::string page = translated(command.help) + "\n\n";
  for (const std::string& line : wrapped(use, help_width, 4)) page += line + "\n";
  append(page, translated("Inputs:"), inputs_of(command.inputs));
  page +=
      "\n" + phrase("The common flags (--json, --lang, --threads, ...): {} --help", accepted.name);
  return page;
}

}  // namespace

std::string help_text(const Accepted& accepted, const Command* command) {
  if (command) return help_of(accepted, *command);
  std::string page = fmt::format("{}: {}\n\n", accepted.name, translated(accepted.title));
  page += phrase("Usage: {} [flags]", accepted.name) + "\n";
  std::vector<Entry> commands;
  for (const auto& c : accepted.commands) commands.push_back({c->name, translated(c->help)});
  if (!commands.empty()) page += phrase("       {} SUBCOMMAND [flags]", accepted.name) + "\n";
  append(page, translated("Subcommands (each has its own --help):"), commands);
  append(
      page,
      translated("Inputs (the defaults are the lecture's; with others, claims are not checked):"),
      inputs_of(accepted.inputs));
  append(page, translated("Flags:"), common_entries());
  return page;
}

}  // namespace napkin::lecture
