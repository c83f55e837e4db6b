// Sources: proc(5) for /proc/meminfo and /proc/self/cgroup; the kernel's cgroup-v2.rst (memory.max,
// memory.current, memory.stat) and cgroup-v1/memory.rst.
#include "common/core/memory_limit.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace napkin {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

// The number behind a word that starts a line ("MemTotal:  24684084 kB").
std::optional<std::int64_t> number_after(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  std::int64_t number = 0;
  for (std::string first; file >> first; file.ignore(unlimited, '\n'))
    if (first == word && file >> number) return number;
  return std::nullopt;
}

// A file that holds one number; "max", which stands for no limit, is none.
std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

struct Names {  // of the files of one version of control groups
  const char *limit, *used, *reclaimable;
};
constexpr Names version_2{"memory.max", "memory.current", "inactive_file"};
constexpr Names version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

// Applies the limits of a group and of all groups around it. Inside a container the path may be
// one that only the host sees: then the walk upwards ends at the container's own group.
void apply_groups(MemoryLimit& limit, const std::string& root, std::string path,
                  const Names& names) {
  while (true) {
    const std::string folder = root + path + "/";
    if (const auto most = number_in(folder + names.limit)) {
      const std::int64_t used = number_in(folder + names.used).value_or(0);
      const std::int64_t freed =
          number_after(folder + "memory.stat", names.reclaimable).value_or(0);
      limit.total = std::min(limit.total, *most);
      limit.available =
          std::min(limit.available,
                   std::max<std::int64_t>(0, *most - std::max<std::int64_t>(0, used - freed)));
    }
    if (path.empty()) return;
    path.erase(path.find_last_of('/'));
  }
}

}  // namespace

MemoryLimit memory_limit_under(const std::string& root) {
  constexpr std::int64_t kibibyte = 1024;
  MemoryLimit limit{unlimited, unlimited};
  if (const auto total = number_after(root + "/proc/meminfo", "MemTotal:"))
    limit.total = *total * kibibyte;
  if (const auto available = number_after(root + "/proc/meminfo", "MemAvailable:"))
    limit.available = *available * kibibyte;
  if (const auto swap = number_after(root + "/proc/meminfo", "SwapFree:")) {
    limit.total += *swap * kibibyte;
    limit.available += *swap * kibibyte;
  }
  std::ifstream groups(root + "/proc/self/cgroup");  // lines "0::/path" or "5:memory:/path"
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers.empty())
      apply_groups(limit, root + "/sys/fs/cgroup", path, version_2);
    else if (("," + controllers + ",").find(",memory,") != std::string::npos)
      apply_groups(limit, root + "/sys/fs/cgroup/memory", path, version_1);
  }
  return limit;
}

MemoryLimit memory_limit() { return memory_limit_under(""); }

}  // namespace napkin
