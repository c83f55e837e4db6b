#include "common/lecture/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "common/core/error.h"

namespace napkin::lecture {
namespace {

namespace fs = std::filesystem;

// A file of our own in the folder of the path; removed again unless it was renamed.
class Beside {
 public:
  explicit Beside(const std::string& path) : name_(path + ".XXXXXX") {
    file_ = mkstemp(name_.data());
    check(file_ >= 0, "{}: {}", path, std::strerror(errno));
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    close(file_);
    if (!renamed_) unlink(name_.c_str());
  }
  int file() const { return file_; }
  void rename_to(const std::string& path) {
    fchmod(file_, mode_for(path));  // mkstemp lets only the owner read
    check(std::rename(name_.c_str(), path.c_str()) == 0, "{}: {}", path, std::strerror(errno));
    renamed_ = true;
  }

 private:
  // Of the file that is replaced; for a new one, what the process lets new files have.
  static mode_t mode_for(const std::string& path) {
    struct stat old {};
    if (stat(path.c_str(), &old) == 0) return old.st_mode & 0777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
  }

  std::string name_;
  int file_;
  bool renamed_ = false;
};

// Where the bytes go: the file that a link stands for, so that the link stays.
std::string resolved(const std::string& path) {
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  return none ? path : real.string();
}

// A device or a pipe, also under a name of the system's (/dev/stdout): nothing to be replaced.
bool is_special(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  return path.starts_with("/dev/") || path.starts_with("/proc/") ||
         (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

int open_special(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  check(file >= 0, "{}: {}", path, std::strerror(errno));
  return file;
}

void write_all(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t done = write(file, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    check(done >= 0, "{}: {}", path, std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace

void check_writable(const std::string& path) {
  check(!path.empty(), "\"\": an empty file name");
  check(path != "-", "-: not a file name (standard output is /dev/stdout)");
  std::error_code none;
  check(!fs::is_directory(path, none), "{}: is a folder", path);
  if (is_special(path)) {  // asked, not opened: a pipe's reader would see it end
    check(access(path.c_str(), W_OK) == 0, "{}: {}", path, std::strerror(errno));
    return;
  }
  const fs::path folder = fs::path(path).parent_path();
  check(folder.empty() || fs::is_directory(folder, none), "{}: there is no folder {}", path,
        folder.string());
  const Beside probe(resolved(path));
}

void write_whole_file(const std::string& path, std::string_view text) {
  if (is_special(path)) {
    const int file = open_special(path);
    write_all(file, text, path);
    close(file);
    return;
  }
  const std::string real = resolved(path);
  Beside beside(real);
  write_all(beside.file(), text, path);
  beside.rename_to(real);
}

void make_writable_folder(const std::string& path) {
  check(!path.empty(), "\"\": an empty folder name");
  std::error_code problem;
  fs::create_directories(path, problem);
  check(!problem && fs::is_directory(path, problem), "{}: {}", path,
        problem ? problem.message() : "is not a folder");
  const Beside probe((fs::path(path) / "probe").string());
}

}  // namespace napkin::lecture
