// The one exception of the library: a sentence, and the place in the code that refused.
//
// A sentence names the value that was given and what was allowed ("dimension 3 of a tensor with
// 3 dimensions (0 to 2)"), so that it can be shown to a student as it is.
#pragma once
#include <fmt/core.h>

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace napkin {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence,
                 std::source_location where = std::source_location::current());
  // File, line and function that refused.
  const std::source_location& where() const noexcept { return where_; }
  // "common/tensor/layout.cpp:41", relative to the project's root.
  std::string place() const;

 private:
  std::source_location where_;
};

// A format string that remembers where it was written: fail("no dimension {}", d) reports the
// caller's file and line without a macro.
template <class... Args>
struct Sentence {
  fmt::format_string<Args...> text;
  std::source_location where;
  template <class Text>
  consteval Sentence(const Text& t, std::source_location w = std::source_location::current())
      : text(t), where(w) {}
};

// Throws Error with the formatted sentence.
template <class... Args>
[[noreturn]] void fail(Sentence<std::type_identity_t<Args>...> sentence, Args&&... args) {
  throw Error(fmt::format(sentence.text, std::forward<Args>(args)...), sentence.where);
}

// Throws Error with the formatted sentence unless the condition holds.
template <class... Args>
void check(bool condition, Sentence<std::type_identity_t<Args>...> sentence, Args&&... args) {
  if (!condition) [[unlikely]]
    throw Error(fmt::format(sentence.text, std::forward<Args>(args)...), sentence.where);
}

// The sentence with which an operation is refused; empty if it is not.
template <class Operation>
std::string refusal_of(Operation&& operation) {
  try {
    operation();
  } catch (const Error& refused) {
    return refused.what();
  }
  return "";
}

// Throws Error "what: a is not b" unless the two numbers are equal.
void check_equal(long long a, long long b, std::string_view what,
                 std::source_location where = std::source_location::current());

}  // namespace napkin
