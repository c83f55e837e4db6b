#include "common/core/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "common/core/error.h"

namespace napkin {
namespace {

namespace fs = std::filesystem;

// What the system said last: "No space left on device".
std::string reason() { return std::generic_category().message(errno); }

[[noreturn]] void refuse(const std::string& path) {
  fail("{} cannot be written: {}", path, reason());
}

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// The place that a link of this name leads to, so that the link itself is not replaced.
std::string followed(const std::string& path) {
  std::error_code none;
  const fs::path place = fs::canonical(path, none);
  return none ? path : place.string();  // a new file
}

// A new file in the folder under a name of its own, open for writing.
int create_temporary(const std::string& folder, std::string& name) {
  static std::atomic<int> count = 0;
  int file = -1;
  do {  // a name may be left over from a process that was killed
    name = fmt::format("{}/.napkin-{}-{}", folder, ::getpid(), count++);
    file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  return file;
}

// A device or a pipe, also under a name of the system's (/dev/stdout): nothing to be replaced.
bool is_special(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  return path.starts_with("/dev/") || path.starts_with("/proc/") ||
         (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

void write_special(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0 || !write_all(file, text)) refuse(path);
  ::close(file);
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(followed(path)) {
  check(!path.empty(), "a file without a name cannot be written");
  struct stat old {};
  const bool replaces = ::stat(path_.c_str(), &old) == 0;
  check(!replaces || S_ISREG(old.st_mode), "{} is there and is not a file: it cannot be replaced",
        path);
  if (replaces && ::access(path_.c_str(), W_OK) != 0) refuse(path);
  file_ = create_temporary(folder_of(path_), temporary_);
  if (file_ < 0) refuse(path);
  if (replaces) ::fchmod(file_, old.st_mode & 0777);  // a private file stays private
}

WholeFile::~WholeFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

void WholeFile::check_open() const {
  check(file_ >= 0, "{} is complete: nothing can be added", path_);
}

void WholeFile::write(std::string_view text) {
  check_open();
  if (!write_all(file_, text)) refuse(path_);
}

void WholeFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void WholeFile::commit() {
  check_open();
  if (::fsync(file_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(path_);
  close_complete();
}

bool WholeFile::commit_new() {
  check_open();
  if (::fsync(file_) != 0) refuse(path_);
  if (::link(temporary_.c_str(), path_.c_str()) == 0) {
    ::unlink(temporary_.c_str());
  } else {
    if (errno == EEXIST || ::access(path_.c_str(), F_OK) == 0) return false;
    // A file system without links.
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(path_);
  }
  close_complete();
  return true;
}

void WholeFile::close_complete() {
  ::close(file_);
  file_ = -1;
  // The new name is on the disk only once the folder is; not every file system can do this.
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written =
        ::write(file, text.data(), std::min<std::size_t>(text.size(), 1u << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_whole_file(const std::string& path, std::string_view text) {
  if (is_special(path)) return write_special(path, text);
  WholeFile file(path);
  file.write(text);
  file.commit();
}

void check_file_writable(const std::string& path) {
  check(!path.empty(), "\"\": an empty file name");
  check(path != "-", "-: not a file name (standard output is /dev/stdout)");
  std::error_code none;
  check(!fs::is_directory(path, none), "{}: is a folder", path);
  if (is_special(path)) {  // asked, not opened: a pipe's reader would see it end
    if (::access(path.c_str(), W_OK) != 0) refuse(path);
    return;
  }
  const std::string folder = folder_of(path);
  check(fs::is_directory(folder, none), "{}: there is no folder {}", path, folder);
  const WholeFile probe(path);
}

void make_writable_folder(const std::string& path) {
  check(!path.empty(), "\"\": an empty folder name");
  std::error_code problem;
  fs::create_directories(path, problem);
  check(!problem && fs::is_directory(path, problem), "{}: {}", path,
        problem ? problem.message() : "is not a folder");
  const WholeFile probe((fs::path(path) / "probe").string());
}

}  // namespace napkin
