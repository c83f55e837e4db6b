#include "common/io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "common/core/error.h"
#include "common/core/units.h"
#include "common/io/file.h"
#include "common/io/json.h"
#include "common/numeric/format.h"

namespace napkin::io {
namespace {

// Unsigned bytes as one number.
std::uint64_t number_at(std::span<const std::byte> bytes, bool big_endian) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    number =
        number << 8 | std::to_integer<std::uint64_t>(bytes[big_endian ? i : bytes.size() - 1 - i]);
  return number;
}

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

// Reads the one form of a Python dictionary that numpy writes.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  Header read() {
    Header header;
    need('{');
    while (!next_is('}')) {
      read_entry(header);
      if (!skip(',') && !next_is('}')) refuse("a comma or a closing brace");
    }
    need('}');
    spaces();
    if (!rest_.empty()) refuse("nothing more");
    check(header.descr && header.fortran_order && header.shape,
          "the header lacks one of 'descr', 'fortran_order', 'shape'");
    return header;
  }

 private:
  void read_entry(Header& header) {
    const std::string key = text();
    need(':');
    if (key == "descr" && !header.descr) {
      check(!next_is('['), "an array of records is not read, one of plain numbers is");
      header.descr = text();
    } else if (key == "fortran_order" && !header.fortran_order) {
      header.fortran_order = truth();
    } else if (key == "shape" && !header.shape) {
      header.shape = sizes();
    } else {
      fail("the header has an entry {} that is not known or stands twice", in_quotes(key));
    }
  }

  std::string text() {
    spaces();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    if (quote != '\'' && quote != '"') refuse("a text in quotes");
    const std::size_t end = rest_.find(quote, 1);
    if (end == rest_.npos) refuse("a text in quotes");
    std::string result(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return result;
  }

  bool truth() {
    spaces();
    for (const std::string_view word : {"True", "False"})
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return word == "True";
      }
    refuse("True or False");
  }

  std::vector<std::int64_t> sizes() {
    std::vector<std::int64_t> result;
    need('(');
    while (!next_is(')')) {
      std::int64_t size = 0;
      const char* end = rest_.data() + rest_.size();
      const auto [stop, error] = std::from_chars(rest_.data(), end, size);
      if (error != std::errc() || size < 0) refuse("a size of 0 or more, below 2^63");
      rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
      if (rest_.starts_with('L')) rest_.remove_prefix(1);  // as Python 2 wrote long integers
      result.push_back(size);
      if (skip(',')) continue;
      if (result.size() == 1) refuse("a comma, as in (12,)");  // (12) is a number in brackets
      if (!next_is(')')) refuse("a comma or a closing bracket");
    }
    need(')');
    return result;
  }

  void spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }
  bool next_is(char c) {
    spaces();
    return rest_.starts_with(c);
  }
  bool skip(char c) {
    if (!next_is(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void need(char c) {
    if (!skip(c)) refuse(fmt::format("\"{}\"", c));
  }
  [[noreturn]] void refuse(std::string_view wanted) const {
    fail("the header is not one of numpy's: {} where {} should stand",
         rest_.empty() ? "its end" : in_quotes(rest_.substr(0, 20)), wanted);
  }

  std::string_view rest_;
};

struct Element {
  DType dtype;
  Format format;
  bool big_endian;
};

Element element_of(const std::string& descr) {
  const bool known = descr.size() == 3 && (descr[0] == '<' || descr[0] == '>') && descr[1] == 'f';
  const bool big = known && descr[0] == '>';
  if (known && descr[2] == '2') return {DType::fp16, formats::fp16, big};
  if (known && descr[2] == '4') return {DType::fp32, formats::fp32, big};
  if (known && descr[2] == '8') return {DType::fp64, formats::fp64, big};
  fail("elements of type {}: float16, float32 and float64 are read (<f2, <f4, <f8)",
       in_quotes(descr));
}

// Elements of that shape; refuses what does not fill exactly so many bytes.
std::int64_t count_elements(const std::vector<std::int64_t>& shape, std::int64_t size,
                            std::int64_t bytes) {
  if (std::ranges::find(shape, 0) != shape.end()) {
    check(bytes == 0, "{} for a shape of no elements", counted(bytes, "byte"));
    return 0;
  }
  std::int64_t count = 1;
  for (const std::int64_t n : shape) {
    check(n <= bytes / size / count, "the file is cut: its shape asks for more than its {} bytes",
          bytes);
    count *= n;
  }
  check(count <= bytes / size, "the file is cut: its shape asks for more than its {} bytes", bytes);
  check(count * size == bytes, "{} for {} of {}", counted(bytes, "byte"), counted(count, "element"),
        size);
  return count;
}

// Where at most one size is, the first index fastest and the last index fastest are the same order.
bool is_several(std::int64_t size) { return size != 1; }

// What stands before the data.
struct Preamble {
  std::string_view header;
  std::span<const std::byte> data;
};

Preamble parts_of(std::span<const std::byte> file) {
  constexpr std::string_view magic = "\x93NUMPY";
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  check(text.starts_with(magic), "not a .npy file: it does not begin with \\x93NUMPY");
  check(file.size() >= magic.size() + 4, "the file is cut in its first bytes");
  const int major = std::to_integer<int>(file[6]), minor = std::to_integer<int>(file[7]);
  check(major >= 1 && major <= 3 && minor == 0, "version {}.{}: 1.0, 2.0 and 3.0 are read", major,
        minor);
  const std::size_t length_bytes = major == 1 ? 2 : 4, start = 8 + length_bytes;
  check(file.size() >= start, "the file is cut in its first bytes");
  const auto length = static_cast<std::size_t>(number_at(file.subspan(8, length_bytes), false));
  check(length <= file.size() - start, "a header of {} bytes in a file of {}", length, file.size());
  return {text.substr(start, length), file.subspan(start + length)};
}

}  // namespace

NpyArray parse_npy(std::span<const std::byte> file) {
  const auto [text, data] = parts_of(file);
  Header header = HeaderReader(text).read();
  const Element element = element_of(*header.descr);
  check(!*header.fortran_order || std::ranges::count_if(*header.shape, is_several) <= 1,
        "the array is in Fortran order: save numpy.ascontiguousarray of it instead");
  const std::int64_t size = size_of(element.dtype);
  const std::int64_t count =
      count_elements(*header.shape, size, static_cast<std::int64_t>(data.size()));
  NpyArray array{element.dtype, std::move(*header.shape), {}};
  array.values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bytes =
        data.subspan(static_cast<std::size_t>(i * size), static_cast<std::size_t>(size));
    array.values.push_back(decode(element.format, number_at(bytes, element.big_endian)));
  }
  return array;
}

NpyArray load_npy(const std::string& path) {
  const MappedFile file(path);  // names itself
  try {
    return parse_npy(file.bytes());
  } catch (const Error& refused) {
    throw Error(fmt::format("{}: {}", path, refused.what()), refused.where());
  }
}

}  // namespace napkin::io
