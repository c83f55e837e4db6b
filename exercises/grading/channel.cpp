#include "exercises/grading/channel.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "common/core/utf8.h"
#include "common/core/whole_file.h"

namespace napkin::exercises {

std::string written_fields(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += '\t';
    for (const char c : shortened(fields[i], longest_field)) {
      if (c == '\t' || c == '\n' || c == '\\') line += '\\';
      line += c == '\t' ? 't' : c == '\n' ? 'n' : c;
    }
  }
  return line;
}

std::vector<std::string> read_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\t') {
      fields.emplace_back();
    } else if (c == '\\' && i + 1 < line.size()) {
      const char escaped = line[++i];
      fields.back() += escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped;
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::string mark_of(std::string_view nonce) { return '\x1e' + std::string(nonce) + '\n'; }

std::vector<std::string> split_at_marks(std::string_view text, std::string_view nonce) {
  const std::string mark = mark_of(nonce);
  std::vector<std::string> pieces;
  for (std::size_t at; (at = text.find(mark)) != text.npos; text.remove_prefix(at + mark.size()))
    pieces.emplace_back(text.substr(0, at));
  pieces.emplace_back(text);
  return pieces;
}

Channel::Channel() {
  const char* const given = std::getenv(channel_variable);
  if (given == nullptr) return;
  char* rest = nullptr;
  descriptor_ = static_cast<int>(std::strtol(given, &rest, 10));
  nonce_ = *rest == ' ' ? rest + 1 : rest;
  unsetenv(channel_variable);
  output_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);  // an answer may close its own
}

void Channel::mark() const {
  if (output_ < 0) return;
  std::cout.flush();
  std::fflush(stdout);
  write_all(output_, mark_of(nonce_));
}

void Channel::send(const std::vector<std::string>& fields) {
  if (descriptor_ >= 0) {
    write_all(descriptor_, nonce_ + ' ' + written_fields(fields) + '\n');
    return;
  }
  for (const std::string& field : fields) std::printf("%s  ", field.c_str());
  std::puts("");
}

}  // namespace napkin::exercises
