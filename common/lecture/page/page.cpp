#include "common/lecture/page/page.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "common/core/error.h"
#include "common/core/whole_file.h"

namespace napkin::lecture {
namespace {

bool quiet = false, silent_without_reader = false, reader_gone = false;

bool set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

int terminal_columns() {
  int wanted = 0;
  if (const char* text = std::getenv("COLUMNS")) {
    const char* end = text + std::strlen(text);
    if (std::from_chars(text, end, wanted).ptr == end && wanted > 0) return wanted;
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return page_width;
}

bool has_colour() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && !set("NO_COLOR") && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

int columns() {
  static const int known = std::clamp(terminal_columns(), 40, page_width);
  return known;
}

std::string without_controls(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\n') || code == 0x7F)
      shown += fmt::format("\\x{:02x}", code);
    else
      shown += c;
  }
  return shown;
}

std::string styled(std::string_view text, Style style) {
  static const bool colour = has_colour();
  if (!colour) return std::string(text);
  static constexpr const char* codes[] = {"1", "32", "1;31", "2"};
  return fmt::format("\033[{}m{}\033[0m", codes[static_cast<int>(style)], text);
}

void put_line(std::string_view text) {
  if (quiet || reader_gone) return;
  if (write_all(STDOUT_FILENO, std::string(text) + "\n")) return;
  reader_gone = errno == EPIPE;
  if (!reader_gone) fail("standard output: {}", std::strerror(errno));
  if (!silent_without_reader) throw ReaderGone{};
}

void set_quiet(bool now) { quiet = now; }
void set_silent_without_reader(bool silent) { silent_without_reader = silent; }

}  // namespace napkin::lecture
