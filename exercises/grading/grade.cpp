#include "exercises/grading/grade.h"

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
    if (is_untouched(places, e)) {
      verdicts[e.name].ending = Ending::not_done;
      verdicts[e.name].stub = e.lesson + "/" + e.name;
    } else {
      edited.push_back(e);
    }
  }
  const auto faults = compile(places, edited, sanitized);
  for (const Exercise& e : edited) {
    if (const auto fault = faults.find(e.name); fault != faults.end()) {
      verdicts[e.name].ending = Ending::does_not_compile;
      verdicts[e.name].compiler = fault->second;
    } else {
      verdicts[e.name] = run_and_judge(places, e, sanitized);
    }
  }
  return verdicts;
}

}  // namespace napkin::exercises
