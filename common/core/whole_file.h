// Files that are written whole or not at all.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace napkin {

// A file that appears under its name only when it is complete: what is written goes to a temporary
// name in the same folder; commit() forces it to the disk and renames it. If writing fails (disk
// full), is interrupted or given up, an older file of that name stays as it was. Refusals
// (napkin::Error) name the path and the reason.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  ~WholeFile();  // without commit(): removes what was written
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();
  // The same where no file has that name yet; false, and nothing is written, where one has.
  bool commit_new();

 private:
  void check_open() const;
  void close_complete();

  std::string path_, temporary_;
  int file_ = -1;
};

// Writes all of it to an open file; false, with errno, where that cannot be.
bool write_all(int file, std::string_view text);

// Writes the text as such a file. Devices and pipes are written directly.
void write_whole_file(const std::string& path, std::string_view text);

// Refuses a path at which write_whole_file would fail: an empty name, a folder, a folder that is
// missing or not writable. Leaves nothing behind.
void check_file_writable(const std::string& path);

// Creates the folder with those above it; refuses where it cannot, or cannot be written to.
void make_writable_folder(const std::string& path);

}  // namespace napkin
