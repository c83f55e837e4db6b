// For tests and fuzzing: what must hold for any bytes whatever given to the reader.
#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "common/io/safetensors.h"

namespace napkin::io {

inline bool same(const StoredTensor& a, const StoredTensor& b) {
  return a.name == b.name && a.type == b.type && a.shape == b.shape &&
         std::equal(a.data.begin(), a.data.end(), b.data.begin(), b.data.end());
}

// The bytes of a file with these tensors.
inline std::string written(std::vector<StoredTensor> tensors, const Metadata& metadata) {
  std::string file = safetensors_header(tensors, metadata);
  for (const StoredTensor& t : tensors)
    file.append(reinterpret_cast<const char*>(t.data.data()), t.data.size());
  return file;
}

// Either the bytes are refused, or what was read is written and read back as the same. True if
// they were read.
inline bool survives(std::span<const std::byte> file) {
  SafetensorsContent content;
  try {
    content = parse_safetensors(file);
  } catch (const Error&) {
    return false;
  }
  const std::string again = written(content.tensors, content.metadata);
  const SafetensorsContent back = parse_safetensors(std::as_bytes(std::span(again)));
  if (back.metadata != content.metadata || back.tensors.size() != content.tensors.size())
    throw std::logic_error("read back differently");
  for (std::size_t i = 0; i < back.tensors.size(); ++i)
    if (!same(back.tensors[i], content.tensors[i])) throw std::logic_error("tensor changed");
  return true;
}

inline bool survives(const std::string& file) { return survives(std::as_bytes(std::span(file))); }

}  // namespace napkin::io
