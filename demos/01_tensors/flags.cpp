#include "demos/01_tensors/flags.h"

#include "common/core/joined.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/report.h"
#include "common/tensor/create.h"

namespace napkin {

using lecture::with_flag;

Tensor on_meta(std::string_view shape_flag, const Numbers& shape, std::string_view dtype_flag,
               const std::string& dtype) {
  const DType type = with_flag(dtype_flag, dtype, [&] { return dtype_named(dtype); });
  return with_flag(shape_flag, shape,
                   [&] { return empty(Dims(shape), {.dtype = type, .device = Device::meta}); });
}

Tensor transposed(const Tensor& x, std::string_view flag, const Numbers& dimensions) {
  return with_flag(flag, dimensions, [&] {
    check(dimensions.size() == 2, "two dimensions are needed, for example 0,1");
    for (const std::int64_t d : dimensions)
      check(d >= -x.rank() &&
                    d<x.rank(), "the tensor has {} dimensions{}, so there is no dimension {}",
                      x.rank(), x.rank()> 1
                ? fmt::format(" (0 to {})", x.rank() - 1)
                : "",
            d);
    return x.transpose(static_cast<int>(dimensions[0]), static_cast<int>(dimensions[1]));
  });
}

std::int64_t position_of(const Tensor& x, std::string_view flag, const Numbers& index) {
  const std::string given = fmt::format("{}{}", joined(index, ","),
                                        lecture::was_given(flag) ? "" : " (give one that fits)");
  return with_flag(flag, given, [&] { return position(x.layout(), Dims(index)); });
}

}  // namespace napkin
