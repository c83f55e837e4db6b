#include "common/accounting/training_time.h"

#include <array>
#include <cmath>
#include <vector>

#include "common/core/error.h"
#include "common/core/joined.h"
#include "common/core/units.h"

namespace napkin::accounting {
namespace {

void check_positive(const char* what, double value) {
  check(value > 0 && std::isfinite(value), "{} {}: a positive number is needed", what,
        short_number(value));
}

void check_mfu(double mfu) {
  check(mfu <= 1, "mfu {}: more than the hardware can do (1 is 100 %)", short_number(mfu));
}

double of_attention(const Attention& a) { return 12 * a.layers * a.width * a.context; }

}  // namespace

double training_flops_per_token(double parameters, const Attention& attention) {
  return 6 * parameters + of_attention(attention);
}

double flops_per_token_with_recompute(double parameters, const Attention& attention) {
  return training_flops_per_token(parameters, attention) * 4 / 3;  // forward is a third
}

double utilization(double flops_per_token, double tokens_per_second, double devices, double peak) {
  check_positive("FLOPs per token", flops_per_token);
  check_positive("tokens per second", tokens_per_second);
  check_positive("devices", devices);
  check_positive("peak", peak);
  return flops_per_token * tokens_per_second / (devices * peak);
}

SolvedPlan solve(const TrainingPlan& plan) {
  struct Term {
    const char* name;
    std::optional<double> value;
    bool is_work;  // on the side of 6 N D
  };
  std::array<Term, 6> terms = {{{"parameters", plan.parameters, true},
                                {"tokens", plan.tokens, true},
                                {"devices", plan.devices, false},
                                {"peak", plan.peak, false},
                                {"mfu", plan.mfu, false},
                                {"seconds", plan.seconds, false}}};
  Term* missing = nullptr;
  std::vector<std::string> names;
  double work = 6, done = 1;
  for (Term& term : terms) {
    if (!term.value) {
      missing = &term;
      names.emplace_back(term.name);
      continue;
    }
    check_positive(term.name, *term.value);
    (term.is_work ? work : done) *= *term.value;
  }
  check(names.size() == 1,
        "exactly one of parameters, tokens, devices, peak, mfu and seconds is worked out; missing "
        "{}",
        names.empty() ? "is none" : "are " + joined(names, ", "));
  missing->value = missing->is_work ? done / work : work / done;
  check_positive(missing->name, *missing->value);
  check_mfu(*terms[4].value);
  return {*terms[0].value, *terms[1].value, *terms[2].value, *terms[3].value,
          *terms[4].value, *terms[5].value, missing->name};
}

}  // namespace napkin::accounting
