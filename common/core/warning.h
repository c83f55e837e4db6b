// Warnings: sentences about what is allowed and is probably a mistake. Each goes to stderr as one
// line, or to whom the program chooses.
#pragma once
#include <functional>
#include <string>
#include <utility>

namespace napkin {

// Called for one warning at a time, in the thread that warns. What it throws reaches the caller of
// the operation that warned.
using WarningHandler = std::function<void(const std::string& sentence)>;

// For all threads; returns the one before. An empty handler hears nothing.
WarningHandler set_warning_handler(WarningHandler handler);

void warn(const std::string& sentence);

// The handler while this object lives.
class WarningsTo {
 public:
  explicit WarningsTo(WarningHandler handler) : before_(set_warning_handler(std::move(handler))) {}
  ~WarningsTo() { set_warning_handler(std::move(before_)); }
  WarningsTo(const WarningsTo&) = delete;
  WarningsTo& operator=(const WarningsTo&) = delete;

 private:
  WarningHandler before_;
};

}  // namespace napkin
