#include "demos/03_einops/refusals.h"

#include <functional>
#include <string>

#include "common/core/error.h"
#include "common/einops/einops.h"
#include "common/lecture/report.h"

namespace napkin {

using lecture::phrase;
using lecture::translated;

void print_pattern_refusals(const Tensor& x, std::int64_t heads) {
  const auto refused = [](const std::string& meaning, const std::function<void()>& operation) {
    lecture::print_refusal(refusal_of(operation), meaning);
  };
  const std::int64_t width = x.size(2), too_many = width + 1;
  refused(phrase("the size {} is no multiple of h = {}", width, too_many), [&] {
    rearrange(x, "b s (h d) -> b h s d", {{"h", too_many}});
  });
  refused(translated("neither h nor d has a size: one of them must be given"),
          [&] { rearrange(x, "b s (h d) -> b h s d"); });
  refused(translated("d stands on the left side only"), [&] {
    rearrange(x, "b s (h d) -> b h s", {{"h", heads}});
  });
  refused(translated("the pattern has no axis of the name heads"), [&] {
    rearrange(x, "b s (h d) -> b h s d", {{"heads", heads}});
  });
  refused(translated("the new axis g needs a size"), [&] { repeat(x, "b s c -> b s c g"); });
}

}  // namespace napkin
