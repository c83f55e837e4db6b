#include "common/core/warning.h"

#include <fmt/core.h>

#include <cstdio>
#include <mutex>

namespace napkin {
namespace {

struct Warnings {
  std::recursive_mutex mutex;  // a handler may warn, and set another
  WarningHandler handler = [](const std::string& sentence) {
    fmt::print(stderr, "warning: {}\n", sentence);
  };
};

Warnings& warnings() {
  static Warnings all;
  return all;
}

}  // namespace

WarningHandler set_warning_handler(WarningHandler handler) {
  const std::scoped_lock lock(warnings().mutex);
  return std::exchange(warnings().handler, std::move(handler));
}

void warn(const std::string& sentence) {
  const std::scoped_lock lock(warnings().mutex);
  const WarningHandler handler = warnings().handler;  // it may set another
  if (handler) handler(sentence);
}

}  // namespace napkin
