// What a demo says and how: sections, claims, values, text in two languages, inputs, subcommands.
//
// A demo's main.cpp is a list of functions, one per lecture section, in the lecture's order:
//
//   static struct { std::int64_t rows = 12288, columns = 49152; } in;   // the lecture's setting
//
//   static void memory_is_count_times_bytes() {
//     lecture::say("One matrix of {} x {} elements:", in.rows, in.columns);
//     lecture::claim("gpt3_matrix_bytes", in.rows * in.columns * 4);
//     lecture::what_to_see("Count times bytes is all there is to it.");
//   }
//
//   int main(int argc, char** argv) {
//     lecture::Demo demo("01_tensors", "Tensors: a long strip of memory", "2.1 - 2.4");
//     demo.section("2.2", "Memory = elements x bytes per element", memory_is_count_times_bytes);
//     demo.input("--rows", in.rows, "rows of the matrix");
//     return demo.run(argc, argv);
//   }
//
// The numbers of the lecture stand in claims.json beside main.cpp and nowhere else. All text goes
// through say, phrase, what_to_see, show and Table: the English text is the key under which zh.json
// holds the Chinese one.
#pragma once
#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/core/device.h"
#include "common/lecture/build.h"
#include "common/lecture/claims/value.h"

namespace napkin::lecture {

// ---- Text -----------------------------------------------------------------------------------

// The text in the chosen language; the English one where there is no other (a test forbids that).
std::string translated(std::string_view english);

// A sentence in the chosen language. The format string is looked up, then filled in: a translation
// keeps the {} of the English text.
template <class... T>
std::string phrase(fmt::format_string<T...> english, T&&... values) {
  const fmt::string_view key = english;
  return fmt::format(fmt::runtime(translated({key.data(), key.size()})), values...);
}

// A line as it is, indented as the section's body; already translated. For drawings.
void print_line(std::string_view text);

// The same for prose: wrapped at the page's width.
void print_text(std::string_view text);

// A sentence of the section.
template <class... T>
void say(fmt::format_string<T...> english, T&&... values) {
  print_text(phrase(english, std::forward<T>(values)...));
}

// What an operation said when it was refused. Error messages are English: a Chinese page has the
// meaning below, a phrase().
void print_refusal(std::string_view sentence, std::string_view meaning);

// An empty line.
void gap();

// The one sentence that closes a section: "What to see: ...".
void what_to_see(std::string_view english);

// ---- Claims and values ----------------------------------------------------------------------

// Reports what this machine computed for a claim of claims.json (id without the demo's number) and
// prints it beside the lecture's number with its verdict.
void claim(std::string_view id, Value got);

// Claims that are cells of a table's row: reported and judged as claim() does, but their lines are
// printed by cell_claims_below(), those that are off and, with --claims, all. Returns the row's
// last cell: "4 ok", "OFF: largest, lecture 448". `column`: the English title of the cell's column.
struct CellClaim {
  std::string id;
  Value got;
  std::string column;
};
std::string cell_claims(const std::vector<CellClaim>& row);
// After the table is printed.
void cell_claims_below();

// Reports that a claim cannot be computed here, and why: it is skipped, never passed. Only claims
// with "needs" in claims.json can be; without a GPU those are skipped by themselves.
void skip_claim(std::string_view id, std::string_view why);

// A number that depends on the machine and is never checked, e.g. show("plain copy", 5.6, "ms").
void show(std::string_view what, double value, std::string_view unit);

// A named result for --json ("values").
void value(std::string_view name, Value got);

// ---- The run's settings ---------------------------------------------------------------------

struct Settings {
  Device device = Device::cpu;
  bool gpu = false;  // there is a GPU, and --device cpu did not forbid it: claims that need one run
  int threads = 1;
  std::uint64_t seed = 0;
  bool quick = false;           // --quick: smaller sizes and fewer repeats where time is measured
  bool claims = false;          // --claims: those in tables have lines of their own, too
  bool quiet = false;           // --quiet: only what is off is printed, and the last line
  bool lecture_setting = true;  // no input was changed
  bool chinese = false;
  std::string plot_folder;  // --plot DIR, else empty
};
const Settings& settings();

// Whether a flag stood on the command line, for inputs whose every value means something.
bool was_given(std::string_view flag);

// ---- The demo -------------------------------------------------------------------------------

// A flag whose default is the lecture's value. Lists are written 2,3,4 and "" is the empty one. A
// bool is a switch (--flag, or --flag=no). Lists of texts and lists of lists also gather what
// several uses of the flag give (--slice 0:4@1 --slice 1:2@0), or several words where it has no
// flag; lists are parted by ";" too. In a list of lists --shape= is an empty one that counts.
using InputTarget =
    std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::int64_t>*,
                 std::vector<std::string>*, std::vector<std::vector<std::int64_t>>*>;

struct Input {
  std::string flag;    // "--rows", or a name without dashes for a positional argument
  InputTarget target;  // holds the default before the command line is read
  std::string help;
  bool required = false;
};

// A what-if subcommand: its inputs, and the function that runs after they are read. A refusal
// (napkin::Error) becomes "01_tensors: sentence" on stderr and exit code 2.
struct Command {
  std::string name, help;
  std::function<void()> run;
  std::vector<Input> inputs;

  template <class T>
  Command& input(std::string flag, T& target, std::string what) {
    inputs.push_back({std::move(flag), &target, std::move(what), false});
    return *this;
  }
  template <class T>
  Command& required(std::string flag, T& target, std::string what) {
    inputs.push_back({std::move(flag), &target, std::move(what), true});
    return *this;
  }
};

struct Section {
  std::string number, title;  // "2.2"
  std::function<void()> run;
};

class Demo {
 public:
  Demo(std::string name, std::string title, std::string sections);

  void section(std::string number, std::string title, std::function<void()> run);
  template <class T>
  void input(std::string flag, T& target, std::string what) {
    inputs_.push_back({std::move(flag), &target, std::move(what), false});
  }
  Command& command(std::string name, std::string help, std::function<void()> run);
  // The demo draws random numbers: this seed is the lecture's, another one changes its setting.
  void seed(std::uint64_t lecture_seed) { lecture_seed_ = lecture_seed; }
  // Called before the first line is printed where that section is run ("4.2"; "4" for all of 4):
  // bad values of its inputs are refused (napkin::Error) with nothing on the page yet. What a
  // section does not use cannot keep it from running.
  void check_inputs(std::string section, std::function<void()> refuse_bad) {
    checks_.push_back({std::move(section), "", std::move(refuse_bad)});
  }
  // What to try next, printed at the end of a full run.
  void try_next(std::string command_line);

  // Reads the command line, runs, prints, writes --json. Exit code: 0 all claims hold or were not
  // checked, 1 one is off, 2 bad usage or bad input.
  int run(int argc, char** argv);

 private:
  int run_or_throw(int argc, char** argv);
  void run_sections(const std::vector<const Section*>& chosen, bool all);

  std::string name_, title_, sections_;
  std::vector<Section> table_of_contents_;
  std::vector<Input> inputs_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::string> try_next_;
  std::vector<Section> checks_;  // of inputs; without titles
  std::optional<std::uint64_t> lecture_seed_;
};

}  // namespace napkin::lecture
