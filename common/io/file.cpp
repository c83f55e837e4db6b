#include "common/io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "common/core/error.h"

namespace napkin::io {
namespace {

// What the system said last: "Permission denied".
std::string reason() { return std::generic_category().message(errno); }

// A file descriptor that closes itself.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

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

}  // namespace napkin::io
