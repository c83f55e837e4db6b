#include "common/einops/einops.h"

#include "common/core/units.h"
#include "common/einops/pattern_parser.h"
#include "common/tensor/operations/reduce.h"

namespace napkin {

using einops::Form, einops::transform;

Tensor rearrange(const Tensor& x, std::string_view pattern, AxisSizes sizes) {
  return transform(x, pattern, Form::rearrange, sizes);
}

Tensor reduce(const Tensor& x, std::string_view pattern, Reduction how, AxisSizes sizes) {
  return transform(x, pattern, Form::reduce, sizes, how);
}

Tensor repeat(const Tensor& x, std::string_view pattern, AxisSizes sizes) {
  return transform(x, pattern, Form::repeat, sizes);
}

std::vector<std::pair<std::string, std::int64_t>> parse_shape(const Tensor& x,
                                                              std::string_view pattern) {
  const einops::Pattern parsed = einops::parse_pattern(pattern, Form::shape);
  const auto require = [&](bool ok, const std::string& reason) {
    check(ok, "{}", einops::error_text(pattern, Form::shape, x.shape(), {}, reason));
  };
  require(parsed.ok(), einops::reason_text(parsed.problem, Form::shape));
  const einops::Side& side = parsed.left();
  const int wide = side.ellipsis < 0 ? 1 : x.rank() - (side.dimensions - 1);
  require(wide >= 0 && side.dimensions - 1 + wide == x.rank(),
          fmt::format("the pattern has {}, the tensor {}", counted(side.dimensions, "dimension"),
                      x.rank()));
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  int next = side.first;
  for (int d = 0, at = 0; d < side.dimensions; ++d) {
    const bool named = next < side.last && parsed.axes[next].dimension == d;
    const einops::Axis axis = named ? parsed.axes[next++] : einops::Axis{"1", 1};
    at += axis.is_ellipsis() ? wide : 1;
    if (axis.is_ellipsis()) continue;
    const std::int64_t size = x.size(at - 1);
    require(!axis.is_number() || axis.size == size,
            fmt::format("dimension {} has size {}, not {}", at - 1, size, axis.name));
    if (!axis.is_number() && axis.name != "_") sizes.emplace_back(axis.name, size);
  }
  return sizes;
}

Reduction reduction_named(std::string_view name) {
  constexpr std::string_view names[] = {"sum", "mean", "max", "min", "prod"};
  for (int i = 0; i < 5; ++i)
    if (names[i] == name) return static_cast<Reduction>(i);
  fail("no reduction is called {}: sum, mean, max, min and prod are", einops::visible(name));
}

}  // namespace napkin
