// Checks of exercise 99.2; the answer is in my/99_frame/thrice.h.
#include "exercises/grading/check.h"
#include "my/99_frame/thrice.h"

void grade(napkin::exercises::Checks& checks) {
  for (const std::int64_t n : std::initializer_list<std::int64_t>{5, -2, 0, 1000000007})
    checks.equal(napkin::exercises::text_of(n), [&] { return my::thrice(n); }, 3 * n,
                 {{"twice_only", 2 * n}, {"overflow", static_cast<std::int32_t>(3 * n)}});
}
