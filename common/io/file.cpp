#include "common/io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "common/core/error.h"

namespace napkin::io {
namespace {

// What the system said last: "No space left on device".
std::string reason() { return std::generic_category().message(errno); }

// A file descriptor that closes itself.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The place that a link of this name leads to, so that the link itself is not replaced.
std::string followed(const std::string& path) {
  char* const place = ::realpath(path.c_str(), nullptr);
  if (place == nullptr) return path;  // a new file
  const std::string result = place;
  std::free(place);
  return result;
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

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  // Without O_NONBLOCK a pipe of this name would wait for a writer for ever.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  check(file.number >= 0, "{} cannot be read: {}", path, reason());
  struct stat status {};
  check(::fstat(file.number, &status) == 0, "{} cannot be read: {}", path, reason());
  check(!S_ISDIR(status.st_mode), "{} is a folder, not a file", path);
  check(S_ISREG(status.st_mode), "{} is not a regular file", path);
  check(status.st_size > 0, "{} is empty", path);
  size_ = static_cast<std::size_t>(status.st_size);
  void* const memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  check(memory != MAP_FAILED, "{} cannot be mapped into memory: {}", path, reason());
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() { ::munmap(const_cast<std::byte*>(data_), size_); }

FileWriter::FileWriter(const std::string& path) : path_(followed(path)) {
  check(!path.empty(), "a file without a name cannot be written");
  struct stat old {};
  const bool replaces = ::stat(path_.c_str(), &old) == 0;
  check(!replaces || S_ISREG(old.st_mode), "{} is there and is not a file: it cannot be replaced",
        path);
  check(!replaces || ::access(path_.c_str(), W_OK) == 0, "{} cannot be written: {}", path,
        reason());
  file_ = create_temporary(folder_of(path_), temporary_);
  check(file_ >= 0, "{} cannot be written: {}", path, reason());
  if (replaces) ::fchmod(file_, old.st_mode & 0777);  // a private file stays private
}

FileWriter::~FileWriter() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

void FileWriter::write(std::span<const std::byte> bytes) {
  check(file_ >= 0, "{} is complete: nothing can be added", path_);
  while (!bytes.empty()) {
    const std::size_t piece = std::min<std::size_t>(bytes.size(), 1u << 30);
    const ssize_t written = ::write(file_, bytes.data(), piece);
    if (written < 0 && errno == EINTR) continue;
    check(written >= 0, "{} cannot be written: {}", path_, reason());
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void FileWriter::write(const std::string& text) { write(std::as_bytes(std::span(text))); }

void FileWriter::commit() {
  check(file_ >= 0, "{} is complete already", path_);
  check(::fsync(file_) == 0, "{} cannot be written: {}", path_, reason());
  check(::rename(temporary_.c_str(), path_.c_str()) == 0, "{} cannot be written: {}", path_,
        reason());
  ::close(file_);
  file_ = -1;
  // The new name is on the disk only once the folder is; not every file system can do this.
  const Descriptor folder{::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.number >= 0) ::fsync(folder.number);
}

}  // namespace napkin::io
