// Checks of exercise 99.4; the answer is in my/99_frame/square.h.
#include "exercises/grading/check.h"
#include "my/99_frame/square.h"

void grade(napkin::exercises::Checks& checks) {
  for (const int n : std::initializer_list<int>{3, -7, 0, 1000})
    checks.equal(napkin::exercises::text_of(n), [&] { return my::square(n); }, n * n,
                 {{"doubled", 2 * n}, {"negative", n < 0 ? -n * n : n * n}});
}
