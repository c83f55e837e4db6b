// Files: mapped into memory to be read, and written whole or not at all.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace napkin::io {

// A file's bytes as they lie on disk, read by the system page by page when they are looked at.
// Refuses what is missing, may not be read, is a folder or another thing than a file, or is empty.
// The file must not be shortened meanwhile; files replaced as FileWriter does keep their old bytes.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// A file that appears under its name only when it is complete: what is written goes to a temporary
// name in the same folder; commit() forces it to the disk and renames it. If writing fails (disk
// full), is interrupted or given up, an older file of that name stays as it was.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();  // without commit(): removes what was written
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(const std::string& text);
  void commit();

 private:
  std::string path_, temporary_;
  int file_ = -1;
};

}  // namespace napkin::io
