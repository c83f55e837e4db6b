// Checks of exercise 99.3; the answer is in my/99_frame/half.h.
#include <cmath>

#include "exercises/grading/check.h"
#include "my/99_frame/half.h"

void grade(napkin::exercises::Checks& checks) {
  for (const double x : std::initializer_list<double>{7.0, -3.0, 0.25, 1e300})
    checks.equal(napkin::exercises::text_of(x), [&] { return my::half(x); }, x / 2,
                 {{"truncated", std::trunc(x / 2)}, {"doubled", 2 * x}});
}
