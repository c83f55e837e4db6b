#include "demos/03_einops/layouts.h"

#include <fmt/ranges.h>

#include "common/core/error.h"
#include "common/core/traffic.h"
#include "common/core/units.h"
#include "common/lecture/report.h"

namespace napkin {

using lecture::Align;

std::string tuple(const Dims& dims) { return fmt::format("({})", fmt::join(dims, ", ")); }

std::vector<std::int64_t> listed(const Dims& dims) { return {dims.begin(), dims.end()}; }

std::string refusal(const std::function<void()>& operation) {
  try {
    operation();
  } catch (const Error& refused) {
    return refused.what();
  }
  return "";
}

LayoutTable::LayoutTable()
    : table_({{"pattern"}, {"shape"}, {"strides"}, {"new bytes", Align::right}}) {}

Tensor LayoutTable::row(std::string_view pattern, const Tensor& source,
                        const std::function<Tensor()>& operation) {
  const Traffic traffic;
  const Tensor result = operation();
  table_.row({std::string(pattern), tuple(result.shape()), tuple(result.strides()),
              result.shares_storage(source) ? lecture::translated("a view")
                                            : with_commas(traffic.allocated())});
  return result;
}

}  // namespace napkin
