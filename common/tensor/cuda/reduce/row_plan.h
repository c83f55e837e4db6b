// Which kernels softmax and cumulative sums take. `Engine` starts them: on the GPU (rows.cu), or,
// for tests, on the host.
#pragma once
#include "common/tensor/cuda/reduce/reduce_plan.h"
#include "common/tensor/cuda/reduce/row_kernels.h"
#include "common/tensor/rules/softmax.h"

namespace napkin::cuda {

// A tensor whose lines are unbroken and stand one after the other, to be filled or read in its
// place: itself, or a new one of that dtype.
inline Tensor as_lines(const Tensor& lines) {
  return lines.is_contiguous()
             ? lines
             : empty(lines.shape(), {lines.dtype(), lines.device(), Category::temporary});
}

template <class S, class Engine>
void softmax_lines(const Engine& engine, const Tensor& y, const Tensor& x, bool is_log) {
  const std::int64_t n = x.rank() == 0 ? 1 : x.size(-1);
  SoftmaxLines<S> kernel{x.numel() / n,    n,         as<std::byte>(x),
                         as<std::byte>(y), x.dtype(), size_of(x.dtype()),
                         is_log,           false};
  check(kernel.blocks() <= SoftmaxLines<S>::most_blocks,
        "softmax on cuda along {} elements; at most {} are possible", n,
        SoftmaxLines<S>::most_blocks * reduce_block);
  const auto packet =
      static_cast<std::uintptr_t>(std::min<std::int64_t>(4 * kernel.size, packet_bytes));
  kernel.packets = n % 4 == 0 && reinterpret_cast<std::uintptr_t>(x.raw_data()) % packet == 0 &&
                   reinterpret_cast<std::uintptr_t>(y.raw_data()) % packet == 0;
  kernel.choose_team();
  engine.launch(kernel, kernel.grid());
}

// Cumulative sums of lines of n elements; the totals of parts are summed up the same way.
template <class S, class Wide, class Engine>
void scan_lines(const Engine& engine, const Tensor& like, ScanParts<S, Wide> kernel) {
  kernel.parts = (kernel.n - 1) / kernel.part + 1;
  kernel.totals = nullptr;
  kernel.so_far = nullptr;
  Tensor totals, so_far;
  if (kernel.parts > 1) {
    totals = room(like, kernel.lines * kernel.parts * 8);
    so_far = room(like, kernel.lines * kernel.parts * 8);
    ScanParts<S, Wide> only_totals = kernel;
    only_totals.y = nullptr;
    only_totals.totals = as<Wide>(totals);
    engine.launch(only_totals, kernel.grid());
    scan_lines<Wide, Wide>(engine, like,
                           {kernel.lines, kernel.parts, 0, as<std::byte>(totals), dtype_of<Wide>, 8,
                            as<std::byte>(so_far), dtype_of<Wide>, 8, nullptr, nullptr});
    kernel.so_far = as<Wide>(so_far);
  }
  engine.launch(kernel, kernel.grid());
}

template <class S, class Engine>
void run_lines(const Engine& engine, RowOperation operation, const Tensor& y, const Tensor& x) {
  if (operation != RowOperation::cumsum) {
    if constexpr (!std::is_integral_v<S>)
      softmax_lines<S>(engine, y, x, operation == RowOperation::log_softmax);
    return;
  }
  using Wide = std::conditional_t<std::is_integral_v<S>, std::int64_t, double>;
  const std::int64_t n = x.rank() == 0 ? 1 : x.size(-1);
  scan_lines<S, Wide>(engine, x,
                      {x.numel() / n, n, 0, as<std::byte>(x), x.dtype(), size_of(x.dtype()),
                       as<std::byte>(y), y.dtype(), size_of(y.dtype()), nullptr, nullptr});
}

// Along dimension d: brought to the end, if need be by a copy of the operand and one of the result.
template <class Engine>
void run_along_with(const Engine& engine, RowOperation operation, const Tensor& result,
                    const Tensor& x, int d) {
  const int last = std::max(x.rank(), 1) - 1;
  const Tensor from = x.transpose(d, last), to = result.transpose(d, last);
  const Tensor lines = as_lines(from), results = as_lines(to);
  if (!lines.shares_storage(from)) copy_there(lines, from);
  const DType compute = compute_type(x.dtype());
  if (compute == DType::fp64)
    run_lines<double>(engine, operation, results, lines);
  else if (compute == DType::fp32)
    run_lines<float>(engine, operation, results, lines);
  else
    run_lines<std::int64_t>(engine, operation, results, lines);
  if (!results.shares_storage(to)) copy_there(to, results);
}

}  // namespace napkin::cuda
