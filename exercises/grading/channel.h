// The line between an exercise's program and the program that grades it: one line for each event,
// down a pipe of its own, so that nothing an answer prints can be mistaken for a verdict.
//
//   NONCE begin  INPUT RIGHT              a check calls the answer
//   NONCE passed MARK...
//   NONCE failed GOT PLACE HERE RIGHT MARK...   of a tensor, the first place that differs, or empty
//   NONCE threw  WHAT                     WHAT: "std::out_of_range: ...", or "memory"
//   NONCE undone EXERCISE                 the answer said not_done_yet
//   NONCE end    COUNT                    all checks have run
//
// MARK: "+KEY" where the answer is the one that the mistake KEY gives for this input, "-KEY" where
// it is not. A mistake that goes unnoticed on an input (it gives the right value) has no mark
// there.
//
// Fields are separated by tabs; a tab, a line end and a backslash in a field are written \t, \n and
// \\. The nonce is drawn anew for each run. A line without it was not written by us, and the answer
// counts as failed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace napkin::exercises {

// Where the writing end is found: "DESCRIPTOR NONCE". The program removes it before an answer runs.
inline constexpr const char* channel_variable = "NAPKIN_VERDICT";

// Fields are cut to so many bytes.
inline constexpr std::size_t longest_field = 1200;

// One line, without its nonce and end. read_fields undoes it.
std::string written_fields(const std::vector<std::string>& fields);
std::vector<std::string> read_fields(std::string_view line);

// What was printed, taken apart at the marks that were printed where a check begins: each check's
// from 1 on; 0: before the first.
std::string mark_of(std::string_view nonce);
std::vector<std::string> split_at_marks(std::string_view text, std::string_view nonce);

// The writing end.
class Channel {
 public:
  // Takes the descriptor and the nonce from the environment; prints in plain words without them.
  Channel();
  void send(const std::vector<std::string>& fields);
  // Prints the mark, after all that has been printed.
  void mark() const;

 private:
  int descriptor_ = -1, output_ = -1;
  std::string nonce_;
};

}  // namespace napkin::exercises
