// For the tests that run the grader on the lesson of its own.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>
#include <vector>

#include "common/core/child.h"
#include "exercises/grading/answers.h"
#include "exercises/grading/testing/scratch.h"

namespace napkin::exercises {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

inline const Places places = {NAPKIN_EXERCISES, NAPKIN_ANSWERS, NAPKIN_BUILD};
inline const std::string graders_name = NAPKIN_GRADER;

inline Ended shell(const std::string& line) { return run_program({"sh", "-c", line}); }

inline Ended grader(const Words& words, const Words& environment = {}) {
  Words all = {"env", "-u", "LC_ALL", "-u", "LANG", "-u", "LC_MESSAGES", "COLUMNS=96"};
  all.insert(all.end(), environment.begin(), environment.end());
  all.push_back(graders_name);
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all);
}

inline std::string mine(const std::string& name) {
  return places.answers + "/my/99_frame/" + name + ".h";
}
inline std::string solution(const std::string& name) {
  return contents(places.exercises + "/solutions/99_frame/" + name + ".h");
}
inline std::string answer(const std::string& head, const std::string& body) {
  return "#pragma once\nnamespace my {\ninline " + head + " {\n" + body + "\n}\n}\n";
}

// With one space wherever lines were broken.
inline std::string flat(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

// Until it holds, or half a minute has passed.
inline bool soon(const std::function<bool()>& holds) {
  for (int i = 0; i < 300; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

class Grader : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(places.answers);
    fs::create_directories(places.answers);
    for (const char* name : {"twice", "thrice", "half", "square"})
      fs::remove(places.notes(std::string("asked_") + name));
  }
};

// A grader in the background, its output in a file.
class Background {
 public:
  explicit Background(const Words& words) {
    pid_ = fork();
    if (pid_ != 0) return;
    std::string line = "exec '" + graders_name + "'";
    for (const std::string& word : words) line += " " + word;
    line += " --lang en >'" + file() + "' 2>&1";
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  ~Background() { end(SIGKILL); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  int end(int signal) {  // returns the signal that ended it
    if (pid_ <= 0) return 0;
    int status = 0;
    kill(pid_, signal);
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  bool runs() const { return waitpid(pid_, nullptr, WNOHANG) == 0; }
  std::string output() const { return contents(file()); }

 private:
  static std::string file() { return places.answers + "/output"; }
  pid_t pid_ = -1;
};

}  // namespace napkin::exercises
