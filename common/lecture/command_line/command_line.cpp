#include "common/lecture/command_line/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/core/joined.h"
#include "common/core/names.h"
#include "common/lecture/command_line/inputs.h"

namespace napkin::lecture {
namespace {

using Given = std::map<std::string, std::vector<std::string>, std::less<>>;  // flag -> its texts

// -1,2, -.5 and the pattern "-> x" are values; -x and --x are flags.
bool is_flag(std::string_view word) {
  return word.size() > 1 && word[0] == '-' &&
         std::string_view("0123456789.>").find(word[1]) == std::string_view::npos;
}

// Goes through the words once. The first word that is no flag may name a subcommand; flags after
// it are the subcommand's or common ones, those before it common ones.
class Reader {
 public:
  explicit Reader(const Accepted& accepted) : accepted_(accepted) {}

  void read(const std::vector<std::string>& words) {
    bool only_words = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!only_words && words[i] == "--") {
        only_words = true;
      } else if (!only_words && is_flag(words[i])) {
        i = read_flag(words, i);
      } else {
        read_word(words[i]);
      }
    }
  }

  const Command* command() const { return command_; }
  const Given& given() const { return given_; }
  const std::vector<Input>& inputs() const {
    return command_ ? command_->inputs : accepted_.inputs;
  }

 private:
  enum class Takes { nothing, a_value, a_switch };

  std::optional<Takes> find(std::string_view flag) const {
    for (const Input& input : inputs())
      if (input.flag == flag) return is_switch(input.target) ? Takes::a_switch : Takes::a_value;
    for (const CommonFlag& common : common_flags)
      if (common.name == flag) return common.value.empty() ? Takes::nothing : Takes::a_value;
    return std::nullopt;
  }

  // Returns the position of the last word that belongs to the flag.
  std::size_t read_flag(const std::vector<std::string>& words, std::size_t at) {
    const std::size_t equals = words[at].find('=');
    const std::string flag = words[at].substr(0, equals);
    const auto takes = find(flag);
    if (!takes) refuse_flag(flag);
    std::vector<std::string>& texts = given_[flag];
    if (equals != std::string::npos) {
      check(takes != Takes::nothing, "{}: {} takes no value", words[at], flag);
      texts.push_back(words[at].substr(equals + 1));
    } else if (takes != Takes::a_value) {
      texts.push_back("yes");
    } else {
      ++at;
      check(at < words.size(), "{} needs a value", flag);
      check(!is_flag(words[at]) || !find(words[at]), "{} needs a value before {}", flag, words[at]);
      texts.push_back(words[at]);
    }
    return at;
  }

  void read_word(const std::string& word) {
    if (!command_) {
      for (const auto& command : accepted_.commands)
        if (command->name == word) {
          command_ = command.get();
          refuse_inputs_of_the_run();
          return;
        }
      refuse_word(word);
    }
    for (const Input& input : command_->inputs)
      if (!is_flag(input.flag) && (!given_.contains(input.flag) || is_gathering(input.target))) {
        given_[input.flag].push_back(word);
        return;
      }
    fail("{} does not take \"{}\" (see {} {} --help)", command_->name, word, accepted_.name,
         command_->name);
  }

  // The command's own flags stand after its name.
  void refuse_inputs_of_the_run() const {
    for (const Input& input : accepted_.inputs) {
      if (!given_.contains(input.flag)) continue;
      check(!has(command_->inputs, input.flag), "{} belongs after {}", input.flag, command_->name);
      refuse_input_of_others(input.flag);
    }
  }

  static bool has(const std::vector<Input>& inputs, std::string_view flag) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const auto& i) { return i.flag == flag; });
  }

  // With a subcommand: the flag exists, but not for that.
  void refuse_input_of_others(const std::string& flag) const {
    std::vector<std::string> owners;
    if (has(accepted_.inputs, flag)) owners.emplace_back("the sections");
    for (const auto& command : accepted_.commands)
      if (has(command->inputs, flag)) owners.push_back(command->name);
    check(owners.empty(), "{} is an input of {}, not of {}", flag, joined(owners, " and of "),
          command_->name);
  }

  [[noreturn]] void refuse_word(const std::string& word) const {
    std::vector<std::string> names;
    for (const auto& command : accepted_.commands) names.push_back(command->name);
    check(!names.empty(), "\"{}\": there are no subcommands (see --help)", word);
    if (const auto near = nearest(word, names))
      fail("unknown subcommand \"{}\": did you mean {}?", word, *near);
    fail("unknown subcommand \"{}\": there is {}", word, joined(names, ", "));
  }

  [[noreturn]] void refuse_flag(const std::string& flag) const {
    std::vector<std::string> names, owners;
    for (const CommonFlag& common : common_flags) names.emplace_back(common.name);
    for (const Input& input : inputs()) names.push_back(input.flag);
    if (command_) refuse_input_of_others(flag);
    for (const auto& command : accepted_.commands)
      if (has(command->inputs, flag)) owners.push_back(command->name);
    check(owners.empty(), "{} belongs after a subcommand: {}", flag, joined(owners, ", "));
    if (has(inputs(), flag.substr(2)))
      fail("{}: {} is written without a flag, after {}", flag, flag.substr(2), command_->name);
    if (const auto near = nearest(flag, names))
      fail("unknown flag {}: did you mean {}?", flag, *near);
    fail("unknown flag {} (--help lists those that exist)", flag);
  }

  const Accepted& accepted_;
  const Command* command_ = nullptr;
  Given given_;
};

// The one text of a common flag, if it was given.
std::optional<std::string> text_of(const Given& given, std::string_view flag) {
  const auto found = given.find(flag);
  if (found == given.end()) return std::nullopt;
  const std::string& last = found->second.back();
  check(found->second.size() == 1 || last == "yes", "{}: given {} times", flag,
        found->second.size());
  return last;
}

Device device_from(const std::string& text) {
  check(same_name(text, "cpu") || same_name(text, "cuda"), "--device {}: cpu or cuda",
        as_typed(text));
  return device_named(text);
}

bool chinese_from(const std::string& text) {
  check(same_name(text, "en") || same_name(text, "zh"), "--lang {}: en or zh", as_typed(text));
  return same_name(text, "zh");
}

void read_common(const Given& given, Asked& asked) {
  asked.help = given.contains("--help") || given.contains("-h");
  asked.list = given.contains("--list");
  asked.quick = given.contains("--quick");
  asked.claims = given.contains("--claims");
  asked.quiet = given.contains("--quiet");
  asked.section = text_of(given, "--section");
  asked.json = text_of(given, "--json");
  asked.plot_folder = text_of(given, "--plot");
  if (const auto text = text_of(given, "--device")) asked.device = device_from(*text);
  if (const auto text = text_of(given, "--lang")) asked.chinese = chinese_from(*text);
  if (const auto text = text_of(given, "--seed")) asked.seed = seed_number("--seed", *text);
  if (const auto text = text_of(given, "--threads"))
    asked.threads = static_cast<int>(whole_number("--threads", *text, 1, 1024));
}

void read_inputs(const Reader& reader, Asked& asked) {
  for (const Input& input : reader.inputs()) {
    const auto found = reader.given().find(input.flag);
    const bool given = found != reader.given().end();
    if (!given && input.required)  // only subcommands have such
      fail("{} needs {}: {}", reader.command()->name, input.flag, input.help);
    if (given && set_input(input, found->second)) asked.changed_inputs.push_back(input.flag);
  }
}

// --list runs nothing that could be written.
void refuse_files_of_a_list(const Asked& asked) {
  check(!asked.json, "--json {}: --list writes no file", as_typed(asked.json.value_or("")));
  check(!asked.plot_folder, "--plot {}: --list writes no file",
        as_typed(asked.plot_folder.value_or("")));
}

}  // namespace

Asked read_command_line(const Accepted& accepted, int argc, char** argv) {
  Reader reader(accepted);
  reader.read({argv + std::min(argc, 1), argv + argc});
  Asked asked;
  asked.command = reader.command();
  for (const auto& [flag, texts] : reader.given()) asked.given.insert(flag);
  read_common(reader.given(), asked);
  if (asked.help) return asked;
  if (asked.list) {
    refuse_files_of_a_list(asked);
    return asked;
  }
  if (asked.command && asked.section)
    fail("--section {}: {} has no sections", as_typed(*asked.section), asked.command->name);
  read_inputs(reader, asked);
  return asked;
}

}  // namespace napkin::lecture
