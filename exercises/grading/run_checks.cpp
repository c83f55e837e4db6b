#include "exercises/grading/run_checks.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "common/core/parallel.h"
#include "exercises/grading/channel.h"

namespace napkin::exercises {

void run_checks(void (*grade)(Checks&)) {
  Channel channel;
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // what is printed before a crash is not lost
  set_threads(1);                            // the limit of memory counts every thread's stack
  Checks checks(channel);
  grade(checks);
  channel.send({"end", std::to_string(checks.count())});
  std::cout.flush();
  std::fflush(nullptr);
  _exit(0);
}

}  // namespace napkin::exercises
