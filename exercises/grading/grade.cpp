#include "exercises/grading/grade.h"

#include "common/core/error.h"
#include "exercises/grading/compile.h"

namespace napkin::exercises {

Verdict run_and_judge(const Places& places, const Exercise& e, bool sanitized) {
  return judge(run_exercise({program_of(places, e, sanitized)}, limits_for(sanitized)));
}

std::map<std::string, Verdict> grade(const Places& places, const std::vector<Exercise>& list,
                                     bool sanitized) {
  std::map<std::string, Verdict> verdicts;
  std::vector<Exercise> edited;
  for (const Exercise& e : list) {
    Verdict& verdict = verdicts[e.name];
    try {
      if (!is_untouched(places, e)) {
        edited.push_back(e);
        continue;
      }
      verdict.ending = Ending::not_done;
      verdict.stub = e.lesson + "/" + e.name;
    } catch (const Error& why) {  // a folder, or not to be read: the others are graded all the same
      verdict.ending = Ending::does_not_compile;
      verdict.fault.compiler = {why.what()};
    }
  }
  const auto faults = compile(places, edited, sanitized);
  for (const Exercise& e : edited) {
    if (const auto fault = faults.find(e.name); fault != faults.end()) {
      verdicts[e.name].ending = Ending::does_not_compile;
      verdicts[e.name].fault = fault->second;
    } else {
      verdicts[e.name] = run_and_judge(places, e, sanitized);
    }
  }
  return verdicts;
}

}  // namespace napkin::exercises
