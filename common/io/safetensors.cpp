#include "common/io/safetensors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "common/core/units.h"
#include "common/core/utf8.h"
#include "common/core/whole_file.h"
#include "common/io/json.h"

namespace napkin::io {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors data is little endian");

struct StoredType {
  std::string_view code;
  int bits;  // of one element
  std::optional<DType> dtype = {};
};

// In the order in which the Python library lays them out.
constexpr StoredType stored_types[] = {
    {"U64", 64},
    {"I64", 64, DType::int64},
    {"F64", 64, DType::fp64},
    {"C64", 64},
    {"F32", 32, DType::fp32},
    {"U32", 32},
    {"I32", 32, DType::int32},
    {"BF16", 16, DType::bf16},
    {"F16", 16, DType::fp16},
    {"U16", 16, DType::uint16},
    {"I16", 16},
    {"F8_E8M0", 8},
    {"F8_E4M3", 8, DType::e4m3fn},
    {"F8_E5M2", 8, DType::e5m2},
    {"I8", 8},
    {"U8", 8, DType::uint8},
    {"F6_E3M2", 6},
    {"F6_E2M3", 6},
    {"F4", 4},
    {"BOOL", 8, DType::boolean},
};

const StoredType& type_named(std::string_view code) {
  for (const StoredType& type : stored_types)
    if (type.code == code) return type;
  fail("type {} is not known", in_quotes(code));
}

// Bytes that a tensor's elements take; refuses what does not fit 63 bits or is no whole number.
std::int64_t bytes_of(const StoredTensor& tensor) {
  std::int64_t bits = type_named(tensor.type).bits;
  bool empty = false;
  for (const std::int64_t size : tensor.shape) {
    check(size >= 0, "a size of {} in its shape", size);
    empty = empty || size == 0;
    if (size == 0) continue;
    check(bits <= std::numeric_limits<std::int64_t>::max() / size,
          "its shape [{}] has more elements than any file", fmt::join(tensor.shape, ", "));
    bits *= size;
  }
  check(empty || bits % 8 == 0, "its shape [{}] of {} does not fill whole bytes",
        fmt::join(tensor.shape, ", "), tensor.type);
  return empty ? 0 : bits / 8;
}

// Runs work on a tensor; what it refuses is told with the tensor's name in front.
template <class Work>
void naming(std::string_view tensor, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(fmt::format("tensor {}: {}", in_quotes(tensor), error.what()), error.where());
  }
}

struct Place {
  std::int64_t begin = 0, end = 0;  // bytes of the data
  std::size_t tensor = 0;           // index
};

// Reads {"name": {"dtype": ..., "shape": ..., "data_offsets": ...}, "__metadata__": {...}, ...}.
class HeaderReader {
 public:
  void take(const JsonPiece& piece) {
    const auto& path = piece.path;
    if (path.empty() && piece.kind != Kind::end) return piece.need(Kind::object);
    if (path.empty()) return;
    if (path[0] == "__metadata__") return take_metadata(piece);
    naming(path[0], [&] { path.size() == 1 ? take_tensor(piece) : take_member(piece); });
  }

  SafetensorsContent content;  // in the order of the header, without the data
  std::vector<Place> places;   // of each tensor

 private:
  using Kind = JsonPiece::Kind;

  void take_metadata(const JsonPiece& piece) {
    if (piece.kind == Kind::end) return;
    const bool whole = piece.path.size() == 1;
    if (whole && piece.kind == Kind::null) return;  // none, as the Python library reads it
    piece.need(whole ? Kind::object : Kind::text);
    if (!whole) content.metadata.emplace(piece.path[1], piece.text);
  }

  void take_tensor(const JsonPiece& piece) {
    if (piece.kind == Kind::end) return finish_tensor();
    piece.need(Kind::object);
    seen_.clear();
    offsets_.clear();
    places.push_back({0, 0, content.tensors.size()});
    content.tensors.emplace_back().name = piece.path[0];
  }

  void take_member(const JsonPiece& piece) {
    if (piece.kind == Kind::end) return;
    const std::string& member = piece.path[1];
    StoredTensor& tensor = content.tensors.back();
    if (!piece.in_list) seen_.push_back(member);
    if (member == "dtype") {
      piece.need(Kind::text);
      tensor.type = piece.text;
    } else {
      check(member == "shape" || member == "data_offsets",
            "{} is none of dtype, shape, data_offsets", in_quotes(member));
      piece.need(piece.in_list ? Kind::number : Kind::list);
      if (piece.in_list) (member == "shape" ? tensor.shape : offsets_).push_back(piece.number);
    }
  }

  void finish_tensor() {
    check(seen_.size() == 3, "dtype, shape and data_offsets are needed, {} is there",
          fmt::join(seen_, " and "));
    check(offsets_.size() == 2, "data_offsets holds {}, not 2",
          counted(std::ssize(offsets_), "number"));
    const StoredTensor& tensor = content.tensors.back();
    Place& place = places.back();
    place.begin = offsets_[0];
    place.end = offsets_[1];
    check(place.begin <= place.end, "its data ends at byte {}, before it begins at byte {}",
          place.end, place.begin);
    const std::int64_t needed = bytes_of(tensor);
    check(needed == place.end - place.begin, "shape [{}] of {} takes {} bytes, its data has {}",
          fmt::join(tensor.shape, ", "), tensor.type, needed, place.end - place.begin);
  }

  std::vector<std::string> seen_;  // members of the tensor
  std::vector<std::int64_t> offsets_;
};

// Gives every tensor its bytes: side by side from the first byte of the data to the last.
void hand_out(std::span<const std::byte> data, std::vector<Place> places,
              std::vector<StoredTensor>& tensors) {
  std::ranges::sort(places, {}, [](const Place& p) { return std::pair(p.begin, p.end); });
  std::int64_t free = 0;
  for (const Place& place : places) {
    StoredTensor& tensor = tensors[place.tensor];
    naming(tensor.name, [&] {
      check(place.begin >= free, "its data begins at byte {}, inside that of another tensor",
            place.begin);
      check(place.begin <= free, "bytes {} to {} before its data belong to no tensor", free,
            place.begin);
      check(static_cast<std::uint64_t>(place.end) <= data.size(),
            "its data ends at byte {}, the file has only {}: was it cut?", place.end, data.size());
    });
    tensor.data = data.subspan(static_cast<std::size_t>(place.begin),
                               static_cast<std::size_t>(place.end - place.begin));
    free = place.end;
  }
  const auto rest = data.size() - static_cast<std::size_t>(free);
  check(rest == 0, "{} after the last tensor belong to none",
        counted(static_cast<std::int64_t>(rest), "byte"));
}

void sort_by_name(std::vector<StoredTensor>& tensors) {
  std::ranges::sort(tensors, {}, &StoredTensor::name);
  const auto twice = std::ranges::adjacent_find(tensors, {}, &StoredTensor::name);
  if (twice != tensors.end()) fail("tensor {} is given twice", in_quotes(twice->name));
}

}  // namespace

SafetensorsContent parse_safetensors(std::span<const std::byte> file) {
  std::uint64_t length = 0;
  check(file.size() >= sizeof(length), "{} bytes are too few: the header's length takes 8",
        file.size());
  std::memcpy(&length, file.data(), sizeof(length));
  file = file.subspan(sizeof(length));
  check(length <= file.size(), "a header of {} bytes is announced, {} follow", length, file.size());
  const auto bytes = file.first(static_cast<std::size_t>(length));
  constexpr std::size_t longest_header = 100'000'000;  // as in the Python library
  HeaderReader header;
  try {
    read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
              {.bytes = longest_header, .depth = 3},
              [&](const JsonPiece& piece) { header.take(piece); });
  } catch (const Error& error) {
    throw Error(fmt::format("in the header, {}", error.what()), error.where());
  }
  SafetensorsContent content = std::move(header.content);
  hand_out(file.subspan(bytes.size()), std::move(header.places), content.tensors);
  sort_by_name(content.tensors);
  return content;
}

SafetensorsFile::SafetensorsFile(const std::string& path) : path_(path), file_(path) {
  try {
    content_ = parse_safetensors(file_.bytes());
  } catch (const Error& error) {
    throw Error(fmt::format("{} is not a safetensors file: {}", path, error.what()), error.where());
  }
}

bool SafetensorsFile::contains(std::string_view name) const {
  return std::ranges::binary_search(tensors(), name, {}, &StoredTensor::name);
}

const StoredTensor& SafetensorsFile::operator[](std::string_view name) const {
  const auto at = std::ranges::lower_bound(tensors(), name, {}, &StoredTensor::name);
  check(at != tensors().end() && at->name == name, "{} holds no tensor {}", path_, in_quotes(name));
  return *at;
}

std::string safetensors_header(std::vector<StoredTensor>& tensors, const Metadata& metadata) {
  sort_by_name(tensors);
  std::ranges::stable_sort(tensors, {}, [](const StoredTensor& t) { return &type_named(t.type); });
  std::string header = "{";
  const auto comma = [&] { return header.size() > 1 ? "," : ""; };
  if (!metadata.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [key, text] : metadata)
      pairs.push_back(json_quoted(key) + ":" + json_quoted(text));
    header += fmt::format("\"__metadata__\":{{{}}}", fmt::join(pairs, ","));
  }
  std::size_t begin = 0;
  for (const StoredTensor& tensor : tensors) {
    naming(tensor.name, [&] {
      check(tensor.name != "__metadata__", "a name that the format keeps for itself");
      check_equal(static_cast<long long>(tensor.data.size()), bytes_of(tensor),
                  "bytes of its data and of its shape");
    });
    header += fmt::format("{}{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                          comma(), json_quoted(tensor.name), tensor.type,
                          fmt::join(tensor.shape, ","), begin, begin + tensor.data.size());
    begin += tensor.data.size();
  }
  header += "}";
  check(find_invalid_utf8(header) == std::string_view::npos, "a name or text is not UTF-8");
  header.resize((header.size() + 7) / 8 * 8, ' ');  // so that the data begins at a multiple of 8
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof(length)) + header;
}

void save_safetensors(const std::string& path, std::vector<StoredTensor> tensors,
                      const Metadata& metadata) {
  const std::string header = safetensors_header(tensors, metadata);
  WholeFile file(path);
  file.write(header);
  for (const StoredTensor& tensor : tensors) file.write(tensor.data);
  file.commit();
}

std::string_view stored_type(DType dtype) {
  for (const StoredType& type : stored_types)
    if (type.dtype == dtype) return type.code;
  fail("dtype {} has no name in safetensors files", name(dtype));
}

DType dtype_of_stored(const StoredTensor& tensor) {
  const auto dtype = type_named(tensor.type).dtype;
  check(dtype.has_value(), "tensor {} holds {}, which is no dtype here: only its bytes can be read",
        in_quotes(tensor.name), tensor.type);
  return *dtype;
}

}  // namespace napkin::io
