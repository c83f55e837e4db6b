#include "exercises/grading/runner.h"

#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <utility>

#include "exercises/grading/channel.h"

namespace napkin::exercises {
namespace {

std::string fresh_nonce() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

// The lines that begin with the nonce.
void read_report(std::string_view report, std::string_view nonce, Run& run) {
  while (!report.empty()) {
    const std::size_t end = report.find('\n');
    const std::string_view line = report.substr(0, end);
    report.remove_prefix(end == report.npos ? report.size() : end + 1);
    if (end == report.npos || !line.starts_with(nonce))
      run.strange_words = true;  // half a line too: its writer was stopped, or was not ours
    else
      run.events.push_back(read_fields(line.substr(nonce.size())));
  }
}

}  // namespace

Limits limits_for(bool sanitized) {
#ifdef NAPKIN_SANITIZE
  sanitized = true;
#endif
  constexpr std::int64_t MiB = 1 << 20;
  Limits limits;
  limits.seconds = 10;  // for an answer that waits
  limits.processor_seconds = 5;
  (sanitized ? limits.resident : limits.memory) = 1024 * MiB;
  limits.file = 16 * MiB;
  limits.printed = 1 * MiB;
  limits.reported = 4 * MiB;
  limits.alone = true;
  return limits;
}

Run run_exercise(const std::vector<std::string>& words, const Limits& limits) {
  const std::string nonce = fresh_nonce();
  Limits with_channel = limits;
  with_channel.kept = static_cast<std::size_t>(limits.printed);
  with_channel.prepare = [&](int channel) {
    setenv(channel_variable, fmt::format("{} {}", channel, nonce).c_str(), 1);
    // An exit code would look as if the answer had called exit. Whoever aborts, a failed assertion
    // for one, is told with the lines that led there.
    setenv("ASAN_OPTIONS", "abort_on_error=1:handle_abort=1:detect_leaks=0:print_legend=0", 1);
    setenv("UBSAN_OPTIONS", "abort_on_error=1", 1);
  };
  const Ended ended = run_child(words, with_channel);
  Run run;
  run.stopped = ended.stopped;
  run.exit_code = ended.exit_code;
  run.signal = ended.signal;
  run.printed_during = split_at_marks(ended.output, nonce);
  for (const std::string& piece : run.printed_during) run.printed += piece;
  read_report(ended.report, nonce + ' ', run);
  return run;
}

}  // namespace napkin::exercises
