// Files mapped into memory to be read.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace napkin::io {

// A file's bytes as they lie on disk, read by the system page by page when they are looked at.
// Refuses what is missing, may not be read, is a folder or another thing than a file, or is empty.
// The file must not be shortened meanwhile; files replaced as WholeFile does keep their old bytes.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace napkin::io
