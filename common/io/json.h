// JSON of files whose structure the caller knows: told piece by piece, in the text's order, so that
// nothing is built in memory that nobody asked for. And strings in quotes.
//
// RFC 8259, strictly: UTF-8, no comments, nothing after the end. Of values there are objects,
// lists, texts, whole numbers from 0 to 2^63 - 1, and null; a name stands once in an object.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace napkin::io {

// A value, or the end of an object or of a list.
struct JsonPiece {
  enum class Kind { object, list, text, number, null, end };
  Kind kind;
  bool in_list = false;               // an element; its names are those of the list
  std::span<const std::string> path;  // names of the members that lead here
  std::string_view text;
  std::int64_t number = 0;

  // What this is; refuses another kind of value.
  void need(Kind wanted) const;
};

struct JsonLimits {
  std::size_t bytes = 100'000'000;
  std::size_t depth = 3;  // objects and lists inside of each other
};

// Tells `take` all pieces; what it throws ends the reading. Refuses (napkin::Error) text of another
// form or beyond the limits, with the place: a byte, or the names that lead there.
void read_json(std::string_view text, const JsonLimits& limits,
               const std::function<void(const JsonPiece&)>& take);

// The text in quotes, with escapes where JSON wants them.
std::string json_quoted(std::string_view text);

// The same for messages: control characters escaped, and shortened where it is long.
std::string in_quotes(std::string_view text);

}  // namespace napkin::io
