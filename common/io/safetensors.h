// safetensors files: named tensors as plain bytes, with a JSON header.
//
//   8 bytes   length of the header, little endian
//   header    {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...,
//              "__metadata__": {"key": "text", ...}}
//   data      every byte belongs to exactly one tensor; offsets count from its beginning
//
// https://huggingface.co/docs/safetensors. Read strictly: whatever a file declares is compared with
// its length before memory is taken for it. Written as the Python library writes it, byte by byte.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/core/error.h"
#include "common/io/file.h"
#include "common/numeric/dtype.h"

namespace napkin::io {

// A tensor as it stands in a file. The data belongs to whoever holds the file.
struct StoredTensor {
  std::string name;
  std::string type;  // "F32", "BF16", ..., also those that no dtype of ours can hold ("F8_E4M3")
  std::vector<std::int64_t> shape;
  std::span<const std::byte> data;
};

using Metadata = std::map<std::string, std::string>;

struct SafetensorsContent {
  std::vector<StoredTensor> tensors;  // ordered by name
  Metadata metadata;
};

// The tensors in the bytes of a file. Refuses, with the reason: a header that is cut, longer than
// the file or than 100 MB, not UTF-8, not JSON or not of this form; repeated names; unknown types;
// shapes that do not fit their bytes; gaps, overlaps, and bytes missing or left over at the end.
SafetensorsContent parse_safetensors(std::span<const std::byte> file);

// A file mapped into memory with its tensors.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::string& path);

  const std::vector<StoredTensor>& tensors() const { return content_.tensors; }
  const Metadata& metadata() const { return content_.metadata; }
  bool contains(std::string_view name) const;
  // The tensor of that name; refuses names that are not there.
  const StoredTensor& operator[](std::string_view name) const;

 private:
  std::string path_;
  MappedFile file_;
  SafetensorsContent content_;
};

// The header with its length, as it precedes the tensors' data; puts the tensors into the order in
// which their data follows (widest type first, then by name). Refuses repeated or non-UTF-8 names,
// unknown types, and data of another size than the shape asks for.
std::string safetensors_header(std::vector<StoredTensor>& tensors, const Metadata& metadata);

// Writes a whole file or, if anything fails, nothing: see WholeFile.
void save_safetensors(const std::string& path, std::vector<StoredTensor> tensors,
                      const Metadata& metadata = {});

// "F32" for fp32 ...
std::string_view stored_type(DType dtype);

// Our dtype for the tensor's type; refuses types that have none.
DType dtype_of_stored(const StoredTensor& tensor);

// The elements; T must be the C++ type of the stored one.
template <class T>
std::vector<T> values(const StoredTensor& tensor) {
  static_assert(!std::is_same_v<T, bool>, "a vector of bool has no bytes");
  check(dtype_of_stored(tensor) == dtype_of<T>, "tensor \"{}\" holds {}, asked for as {}",
        tensor.name, tensor.type, name(dtype_of<T>));
  std::vector<T> result(tensor.data.size() / sizeof(T));
  if (!result.empty()) std::memcpy(result.data(), tensor.data.data(), tensor.data.size());
  return result;
}

}  // namespace napkin::io
