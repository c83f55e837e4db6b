// Answers to "twice" that do harm, each under its name: misbehaviours NAME runs the checks on one
// of them as a learner's program would.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cfenv>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "exercises/grading/check.h"

namespace {

volatile int one = 1;  // unknown to the compiler

void loops() {
  while (one == 1) {
  }
}
void sleeps() {
  for (;;) pause();
}
void stops() { raise(SIGSTOP); }
void ignores_signals() {
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_IGN);
  loops();
}
void closes_and_sleeps() {
  for (int file = 0; file < 64; ++file) close(file);
  sleeps();
}

void prints() {
  for (;;) std::puts("more and more");
}
void fills_the_channel() {
  const std::string line(1000, 'x');
  for (;;)
    for (int file = 3; file < 64; ++file)
      if (write(file, line.data(), line.size()) < 0) continue;
}
void allocates() {
  for (;;) {
    constexpr std::size_t piece = 1 << 20;
    std::memset(new char[piece], one, piece);
  }
}
void writes_a_large_file() {
  std::FILE* const file = std::tmpfile();
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 64; ++i) std::fwrite(piece.data(), 1, piece.size(), file);
}

void exits() { std::exit(0); }
void exits_at_once() { _exit(0); }
void exits_quickly() { std::quick_exit(0); }
void exits_with_77() { std::exit(77); }
void aborts() { std::abort(); }
void becomes_another() { execl("/bin/true", "true", nullptr); }

// Words of the channel, but not down it.
void prints_a_verdict() {
  std::puts("\npassed\nbegin\t1\t2\npassed\nend\t3");
  std::cout << "0123456789abcdef passed\n0123456789abcdef end\t3" << std::endl;
}
void prints_at_exit() { std::atexit(prints_a_verdict); }
void loops_at_exit() { std::atexit(loops); }
void write_everywhere(std::string_view text) {
  for (int file = 3; file < 64; ++file)
    if (write(file, text.data(), text.size()) < 0) continue;
}
void writes_into_the_channel() { write_everywhere("0123456789abcdef passed\n"); }
void writes_half_a_line() { write_everywhere("x"); }
void closes_everything() {
  for (int file = 0; file < 64; ++file) close(file);
}

void past_a_vector() {
  std::vector<int> few(3);
  few[static_cast<std::size_t>(one) + 2] = 1;
}
void past_the_heap() {
  int* const few = new int[3];
  for (std::ptrdiff_t i = 0; i < (std::ptrdiff_t{1} << 40); ++i) few[i * one] = 1;
}
void past_the_stack() {
  volatile char few[8];
  static int i;  // not among what is overwritten
  for (i = 0; i < (1 << 26); ++i) few[i * one] = 1;
  one = few[0];
}
void null_pointer() {
  int* volatile nowhere = nullptr;
  *nowhere = 1;
}
int deeper(int n) {
  volatile char room[256];
  room[0] = static_cast<char>(n);
  return one == 1 ? deeper(n + 1) + room[0] : n;
}
void calls_itself() { one = deeper(1); }
void divides_by_zero() { one = 7 / (one - 1); }

void throws_int() { throw one; }
void throws_error() { throw std::runtime_error("tab\there, \"quoted\",\nand a second line"); }
void throws_bad_alloc() { throw std::bad_alloc(); }
void asks_for_too_much() { one = static_cast<int>(std::vector<char>(std::size_t{1} << 40).size()); }
void throws_where_forbidden() {
  [&]() noexcept { throws_error(); }();
}
void undone_later() {
  static int calls = 0;
  if (++calls == 2) not_done_yet("99_frame/twice");
}

// Processes that would live on and hold the pipes open.
void forks() {
  for (int i = 0; i < 5; ++i) {
    if (fork() != 0) continue;
    sleep(100);
    _exit(0);
  }
}
void forks_and_goes_on() {
  if (fork() < 0) std::abort();
}
void leaves_a_thread() { std::thread(sleeps).detach(); }
void forgets_a_thread() { std::thread thread(sleeps); }

void reads_input() {
  std::string word;
  while (std::cin >> word) {
  }
  std::getchar();
}
void rounds_up() { std::fesetround(FE_UPWARD); }

// Text whose last line does not end.
int print_call() {
  static int calls = 0;
  std::cout << "call " << ++calls << ' ';
  return calls;
}
void prints_and_is_wrong() {
  print_call();
  std::fputs("ends", stderr);
}
void prints_and_waits() {
  if (print_call() == 2) sleeps();
}
void prints_and_aborts() {
  if (print_call() == 2) std::abort();
}
void buffers_and_is_wrong() {
  static int calls = 0;
  std::ios::sync_with_stdio(false);
  std::cout << "call " << ++calls;
}
void closes_output() {
  static int calls = 0;
  close(STDOUT_FILENO);
  std::fprintf(stderr, "call %d without output", ++calls);
  if (calls == 2) throw one;
}

// Twice n, after that; wrong: something else.
struct Misbehaviour {
  const char* name;
  void (*before)();
  bool wrong = false;
};

const Misbehaviour all[] = {
    {"loops", loops},
    {"sleeps", sleeps},
    {"stops", stops},
    {"ignores_signals", ignores_signals},
    {"closes_and_sleeps", closes_and_sleeps},
    {"prints", prints},
    {"fills_the_channel", fills_the_channel},
    {"allocates", allocates},
    {"writes_a_large_file", writes_a_large_file},
    {"exits", exits},
    {"exits_at_once", exits_at_once},
    {"exits_quickly", exits_quickly},
    {"exits_with_77", exits_with_77},
    {"aborts", aborts},
    {"becomes_another", becomes_another},
    {"prints_a_verdict", prints_a_verdict, true},
    {"prints_at_exit", prints_at_exit, true},
    {"loops_at_exit", loops_at_exit},
    {"writes_into_the_channel", writes_into_the_channel, true},
    {"writes_half_a_line", writes_half_a_line},
    {"closes_everything", closes_everything},
    {"past_a_vector", past_a_vector},
    {"past_the_heap", past_the_heap},
    {"past_the_stack", past_the_stack},
    {"null_pointer", null_pointer},
    {"calls_itself", calls_itself},
    {"divides_by_zero", divides_by_zero},
    {"throws_int", throws_int},
    {"throws_error", throws_error},
    {"throws_bad_alloc", throws_bad_alloc},
    {"asks_for_too_much", asks_for_too_much},
    {"throws_where_forbidden", throws_where_forbidden},
    {"undone_later", undone_later},
    {"forks", forks},
    {"forks_and_goes_on", forks_and_goes_on},
    {"leaves_a_thread", leaves_a_thread},
    {"forgets_a_thread", forgets_a_thread},
    {"prints_and_is_wrong", prints_and_is_wrong, true},
    {"prints_and_waits", prints_and_waits},
    {"prints_and_aborts", prints_and_aborts},
    {"buffers_and_is_wrong", buffers_and_is_wrong, true},
    {"closes_output", closes_output},
    {"reads_input", reads_input},
    {"rounds_up", rounds_up},
};

const Misbehaviour* chosen = nullptr;

void grade(napkin::exercises::Checks& checks) {
  for (const int n : {1, 2, 3}) {
    volatile double ten = 10;  // n / 10 has no exact double: it shows how the processor rounds
    checks.equal(
        fmt::format("{}", n),
        [&] {
          std::fesetround(FE_TONEAREST);
          const volatile double answer = n / ten;  // now, not later
          chosen->before();
          return chosen->wrong ? 0 : double{answer};
        },
        n / ten);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const Misbehaviour& m : all)
    if (argc == 2 && std::strcmp(argv[1], m.name) == 0) chosen = &m;
  if (chosen == nullptr) return 2;
  napkin::exercises::run_checks(grade);
}
