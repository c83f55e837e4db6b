#include "exercises/grading/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sstream>

#include "common/lecture/page/page.h"
#include "common/lecture/page/width.h"
#include "common/lecture/report.h"
#include "exercises/grading/findings.h"

namespace napkin::exercises {
namespace {

using lecture::phrase;
using lecture::put_line;
using lecture::Style;
using lecture::translated;

constexpr int name_width = 26, heading_width = 14, under = 8;
constexpr int bar_width = 24;
constexpr std::size_t printed_lines = 6;

std::string checks_text(int count) {
  return count == 1 ? translated("1 check") : phrase("{} checks", count);
}

// "passed", "failed" ... with numbers.
std::string ending_text(const Verdict& v) {
  switch (v.ending) {
    case Ending::passed:
      return lecture::styled(translated("passed"), Style::good) + "  " + checks_text(v.checks);
    case Ending::not_done:
      return translated("not done yet");
    case Ending::does_not_compile:
      return lecture::styled(translated("DOES NOT COMPILE"), Style::bad);
    case Ending::timed_out:
      return lecture::styled(translated("TIMED OUT"), Style::bad);
    case Ending::crashed:
      return lecture::styled(translated("CRASHED"), Style::bad);
    case Ending::failed:
      break;
  }
  return lecture::styled(translated("FAILED"), Style::bad) + "  " +
         phrase("{} of {} checks passed", v.passed, v.checks);
}

std::string signal_text(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return translated(
          "an address outside of memory: an index past the end, or functions that "
          "call each other without end");
    case SIGFPE:
      return translated("an integer was divided by zero");
    case SIGABRT:
      return translated("the program stopped itself; its last words are below");
    case SIGKILL:
      return translated("the system ended it, mostly for want of memory");
    case SIGXFSZ:
      return translated("it wrote a file of more than 16 MiB");
    default:
      return phrase("ended by signal {} ({})", signal, strsignal(signal));
  }
}

std::string reason_text(const Failure& f) {
  switch (f.reason) {
    case Reason::threw:
      return phrase("your code threw {}", f.what);
    case Reason::out_of_memory:
      return translated("your code asked for more than 1 GiB of memory");
    case Reason::reached_stub:
      return translated("not_done_yet was reached for this input");
    case Reason::left_early:
      return phrase(
          "the program ended (exit code {}) before all checks had been made; does your "
          "code call exit?",
          f.what);
    case Reason::strange_words:
      return translated("your code wrote into the line that carries the verdict");
    case Reason::printed_too_much:
      return translated("your code printed more than 1 MiB");
    case Reason::none:
      break;
  }
  return {};
}

// The last lines of what the answer printed, or those of a finding.
void print_printed(const std::string& text) {
  if (text.empty()) return;
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    for (char& c : line)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    lines.push_back(readable_line(line));
  }
  leave_out_abort(lines);
  std::size_t first = lines.size() > printed_lines ? lines.size() - printed_lines : 0;
  if (const auto finding = std::find_if(lines.begin(), lines.end(), is_finding);
      finding != lines.end())
    first = std::min(first, static_cast<std::size_t>(finding - lines.begin()));
  const std::size_t end = std::min(lines.size(), first + printed_lines);
  std::string shown = first > 0 ? "...\n" : "";
  for (std::size_t i = first; i < end; ++i) shown += lines[i] + (i + 1 < end ? "\n" : "");
  print_entry("it printed", shown);
}

void print_crash(const Exercise& e, const Verdict& v) {
  const bool aborted = v.signal == SIGABRT;
  std::string assertion = aborted ? assertion_text(v.printed) : "";
  if (aborted && v.printed.find("runtime error: division by zero") != std::string::npos)
    assertion = signal_text(SIGFPE);  // as without --sanitize
  print_entry("reason", assertion.empty() ? signal_text(v.signal) : assertion);
  const std::string line = line_of(v.printed, "my/" + e.file());
  if (!line.empty()) print_entry("line", line);
}

void print_failure(const Exercise& e, const Verdict& v) {
  if (!v.shown) {
    print_entry("reason", translated("no check was made"));
    return;
  }
  const Failure& f = *v.shown;
  if (!f.input.empty()) print_entry("input", f.input);
  if (v.ending == Ending::timed_out)
    print_entry("reason", translated("no answer after 5 seconds of computing, or 10 of waiting: is "
                                     "there a loop without end?"));
  else if (v.ending == Ending::crashed)
    print_crash(e, v);
  else if (f.reason != Reason::none)
    print_entry("reason", reason_text(f));
  else
    print_entry("your answer", f.got);
  if (!f.right.empty() && f.reason != Reason::strange_words) print_entry("right", f.right);
  if (f.place == "dtype")
    print_entry("differs", phrase("dtype {}, right: {}", f.here, f.right_here));
  else if (!f.place.empty())
    print_entry("differs", phrase("at {}: {}, right: {}", f.place, f.here, f.right_here));
  if (!v.mistake.empty())
    print_entry("hint", translated(e.hint_for(v.mistake)));
  else
    print_entry("hint", "./lecture hint " + e.name);
}

void print_details(const Exercise& e, const Verdict& v) {
  if (v.ending == Ending::does_not_compile) {
    if (!v.fault.reason.empty()) print_entry("reason", v.fault.reason);
    if (!v.fault.compiler.empty())
      print_entry("compiler", fmt::format("{}", fmt::join(v.fault.compiler, "\n")));
    print_entry("file", "my/" + e.file());
    return;
  }
  print_failure(e, v);
  print_printed(v.printed);
  print_entry("read", phrase("lecture {0}; ./lecture run {1} --section {0}", e.section,
                             e.lesson.substr(0, 2)));
  print_entry("file", "my/" + e.file());
}

}  // namespace

void print_entry(std::string_view heading, std::string_view text) {
  const std::string head =
      std::string(under, ' ') + lecture::pad(translated(heading), heading_width);
  const int room = std::max(24, lecture::columns() - under - heading_width);
  std::string before = head;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    for (const std::string& part : lecture::wrapped(line, room)) {
      put_line(part.empty() ? "" : before + part);
      before.assign(under + heading_width, ' ');
    }
}

void print_verdict(const Exercise& e, const Verdict& v, bool all) {
  put_line("    " + lecture::pad(e.name, name_width) + ending_text(v));
  if (v.ending == Ending::passed) {
    if (all) print_printed(v.printed);
  } else if (v.ending != Ending::not_done) {
    print_details(e, v);
  }
}

void print_progress(int done, int total) {
  const int filled = total == 0 ? 0 : done * bar_width / total;
  put_line(fmt::format("[{}{}]  {}", std::string(static_cast<std::size_t>(filled), '#'),
                       std::string(static_cast<std::size_t>(bar_width - filled), '-'),
                       phrase("{} of {} done", done, total)));
}

}  // namespace napkin::exercises
