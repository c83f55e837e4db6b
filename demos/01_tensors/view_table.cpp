#include "demos/01_tensors/view_table.h"

#include <fmt/format.h>

#include <utility>

#include "common/core/traffic.h"
#include "common/core/units.h"
#include "common/lecture/report.h"
#include "demos/01_tensors/strip.h"

namespace napkin {

using lecture::Align;

ViewTable::ViewTable(Tensor x)
    : x_(std::move(x)),
      table_({{"operation"},
              {"shape"},
              {"strides"},
              {"offset", Align::right},
              {"shares storage"},
              {"bytes moved", Align::right},
              {"bytes taken", Align::right}}) {}

Seen ViewTable::row(const char* code, const std::function<Tensor()>& operation) {
  const Traffic traffic;
  const Tensor y = operation();
  const Seen seen{y.shares_storage(x_), traffic.allocated()};
  table_.row({code, tuple(y.shape()), tuple(y.strides()), fmt::format("{}", y.offset()),
              lecture::translated(seen.shares ? "yes" : "no"), with_commas(traffic.moved()),
              with_commas(seen.taken)});
  return seen;
}

}  // namespace napkin
