// Just enough JSON for file headers: a strict reader that walks through text whose structure the
// caller knows, and strings in quotes.
//
// The caller says what comes next, so nothing is built in memory that it did not ask for, and
// deep nesting is refused where it begins. RFC 8259; names are not checked for repetition here.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace napkin::io {

class JsonReader {
 public:
  // Refuses text that is not UTF-8. The text must outlive the reader.
  explicit JsonReader(std::string_view text);

  std::string string();
  std::int64_t natural();  // 0 ... 2^63 - 1, written as digits
  void end();              // only white space is left

  // { "name": ..., ... }: calls member(name), which reads the value.
  template <class F>
  void object(F&& member) {
    expect('{');
    if (accept('}')) return;
    do {
      const std::string name = string();
      expect(':');
      member(name);
    } while (accept(','));
    expect('}');
  }

  // [ ..., ... ]: calls element() for each, which reads it.
  template <class F>
  void array(F&& element) {
    expect('[');
    if (accept(']')) return;
    do {
      element();
    } while (accept(','));
    expect(']');
  }

 private:
  bool accept(char c);
  void expect(char c);
  void skip_space();
  char peek(std::string_view wanted) const;  // refuses the end of the text
  std::uint32_t hexadecimal();               // four digits
  std::uint32_t escaped_code_point();        // what follows \u
  char escaped_character();                  // what follows another backslash
  [[noreturn]] void refuse(std::string_view wanted) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

// The text in quotes, with escapes where JSON wants them.
std::string json_quoted(std::string_view text);

// The same for messages: control characters escaped, and shortened where it is long.
std::string in_quotes(std::string_view text);

// Position of the first byte that is no UTF-8 (overlong forms and surrogates are none), or npos.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace napkin::io
