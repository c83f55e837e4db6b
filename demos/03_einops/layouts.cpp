#include "demos/03_einops/layouts.h"

#include "common/core/error.h"
#include "common/core/joined.h"
#include "common/core/traffic.h"
#include "common/core/units.h"
#include "common/lecture/report.h"

namespace napkin {

using lecture::Align;

std::string tuple(const Dims& dims) { return fmt::format("({})", joined(dims, ", ")); }

std::vector<std::int64_t> listed(const Dims& dims) { return {dims.begin(), dims.end()}; }

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

ReduceTable::ReduceTable()
    : table_({{"pattern"}, {"operation"}, {"shape"}, {"first numbers"}, {""}}) {}

Tensor ReduceTable::row(const Tensor& x, std::string_view pattern, std::string_view how,
                        std::string_view remark, const std::vector<AxisSize>& sizes) {
  const Tensor result = reduce(x, pattern, reduction_named(how), sizes);
  const auto first = result.flatten().slice(0, 0, 3).to_vector<double>();
  table_.row({std::string(pattern), std::string(how), tuple(result.shape()),
              joined(first, " ", "{:.4g}"), lecture::translated(remark)});
  return result;
}

}  // namespace napkin
