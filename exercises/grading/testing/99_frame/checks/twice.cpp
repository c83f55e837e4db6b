// Checks of exercise 99.1; the answer is in my/99_frame/twice.h.
#include "exercises/grading/check.h"
#include "my/99_frame/twice.h"

void grade(napkin::exercises::Checks& checks) {
  for (const int n : std::initializer_list<int>{3, -7, 0, 1 << 10})
    checks.equal(napkin::exercises::text_of(n), [&] { return my::twice(n); }, 2 * n,
                 {{"unchanged", n}, {"squared", n * n}});
}
