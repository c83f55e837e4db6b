#include "exercises/grading/channel.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace napkin::exercises {
namespace {

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody listens any more
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string_view shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

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

std::string mark_head(std::string_view nonce) {
  std::string head(1, '\x1e');
  return head.append(nonce) += ' ';
}

std::string mark_of(std::string_view nonce, int check) {
  return mark_head(nonce) + std::to_string(check) + '\n';
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

void Channel::mark(int check) const {
  if (output_ < 0) return;
  std::cout.flush();
  std::fflush(stdout);
  write_all(output_, mark_of(nonce_, check));
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
