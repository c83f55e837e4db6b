// The only file of io/ that includes the JSON library, which takes seconds to compile.
#include "common/io/json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "common/core/error.h"
#include "common/core/utf8.h"

namespace napkin::io {
namespace {

using Kind = JsonPiece::Kind;

std::string place_of(std::span<const std::string> path) {
  std::string place;
  for (const std::string& name : path) place += in_quotes(name) + ": ";
  return place;
}

// "[json...101] parse error at line 1, column 2: syntax error while parsing value - unexpected ']';
// expected ..." -> "unexpected ']'".
std::string reason_of(std::string_view text) {
  const std::size_t dash = text.find(" - ");
  if (dash == text.npos) return "no JSON";
  text.remove_prefix(dash + 3);
  return std::string(shortened(text.substr(0, text.find(';')), 80));
}

// What the library's reader calls, with the limits that it does not have.
class Listener {
 public:
  Listener(const JsonLimits& limits, const std::function<void(const JsonPiece&)>& take)
      : limits_(limits), take_(take) {}

  // NOLINTBEGIN(readability-identifier-naming): the library's names
  bool null() { return tell({Kind::null, false, {}, {}, 0}); }
  bool boolean(bool value) { refuse(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { refuse(fmt::format("{}", value)); }
  bool number_unsigned(std::uint64_t value) {
    if (value > std::numeric_limits<std::int64_t>::max()) refuse(fmt::format("{}", value));
    return tell({Kind::number, false, {}, {}, static_cast<std::int64_t>(value)});
  }
  bool number_float(double, const std::string& text) { refuse(text); }
  bool string(const std::string& text) { return tell({Kind::text, false, {}, text, 0}); }
  bool binary(const std::vector<std::uint8_t>&) { refuse("binary"); }
  bool start_object(std::size_t) { return open(Kind::object); }
  bool start_array(std::size_t) { return open(Kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(const std::string& name) {
    const bool fresh = open_.back().names.insert(name).second;
    check(fresh, "{}{} is given twice", place_of(path_), in_quotes(name));
    path_.push_back(name);
    return true;
  }
  [[noreturn]] bool parse_error(std::size_t byte, const std::string&,
                                const nlohmann::detail::exception& e) {
    fail("byte {}: {}", byte, reason_of(e.what()));
  }
  // NOLINTEND

 private:
  struct Open {
    Kind kind;
    std::set<std::string, std::less<>> names;  // of an object's members so far
  };

  [[noreturn]] void refuse(std::string_view value) const {
    fail("{}{} is neither a text nor a whole number from 0 to 2^63 - 1", place_of(path_),
         in_quotes(value));
  }
  bool in_list() const { return !open_.empty() && open_.back().kind == Kind::list; }
  // A member's value has been told.
  void leave() {
    if (!open_.empty() && !in_list()) path_.pop_back();
  }
  bool tell(JsonPiece piece) {
    piece.in_list = in_list();
    piece.path = path_;
    take_(piece);
    leave();
    return true;
  }
  bool open(Kind kind) {
    check(open_.size() < limits_.depth, "{}more than {} objects and lists inside of each other",
          place_of(path_), limits_.depth);
    take_({kind, in_list(), path_, {}, 0});
    open_.push_back({kind, {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    take_({Kind::end, in_list(), path_, {}, 0});
    leave();
    return true;
  }

  const JsonLimits& limits_;
  const std::function<void(const JsonPiece&)>& take_;
  std::vector<std::string> path_;
  std::vector<Open> open_;
};

}  // namespace

void JsonPiece::need(Kind wanted) const {
  static constexpr std::string_view names[] = {"an object",      "a list", "a text",
                                               "a whole number", "null",   "the end"};
  check(kind == wanted, "{}{} where {} should come", place_of(path), names[static_cast<int>(kind)],
        names[static_cast<int>(wanted)]);
}

void read_json(std::string_view text, const JsonLimits& limits,
               const std::function<void(const JsonPiece&)>& take) {
  check(text.size() <= limits.bytes, "{} bytes of JSON: at most {} are allowed", text.size(),
        limits.bytes);
  const std::size_t bad = find_invalid_utf8(text);
  check(bad == text.npos, "byte {} is not UTF-8 text", bad);
  // The library passes over a mark of byte order, and ends at a zero.
  check(!text.starts_with("\xef\xbb\xbf"), "byte 0: a mark of byte order");
  const std::size_t zero = text.find('\0');
  check(zero == text.npos, "byte {}: a zero", zero);
  Listener listener(limits, take);
  nlohmann::json::sax_parse(text, &listener);
}

std::string json_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto at = std::string_view("\"\\\b\f\n\r\t").find(c);
    if (at != text.npos)
      (result += '\\') += "\"\\bfnrt"[at];
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  return json_quoted(shortened(text, longest)) + (text.size() > longest ? "..." : "");
}

}  // namespace napkin::io
