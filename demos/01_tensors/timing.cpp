#include "demos/01_tensors/timing.h"

#include "common/core/stopwatch.h"
#include "common/gpu/timer.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/page/plot.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/tensor/create.h"

namespace napkin {

Timing time_transpose(std::int64_t side, int repeats, Device device) {
  const Tensor x = ones({side, side}, {.device = device});
  const auto copy_seconds = [&](auto work) {
    if (device == Device::cpu) return best_seconds(repeats, 1, work);
    work();  // takes the memory that the timed ones find
    return gpu::best_seconds(repeats, 10, work);
  };
  constexpr int views_a_run = 1000;  // a single one is shorter than a clock's tick
  return {side, x.bytes(), best_seconds(repeats, views_a_run, [&] { keep(x.t()); }),
          copy_seconds([&] { keep(x.t().contiguous()); }), copy_seconds([&] { keep(x.clone()); })};
}

void check_side(std::int64_t largest) {
  const std::string given =
      fmt::format("{}{}", largest, lecture::was_given("--side") ? "" : " (a smaller one will do)");
  lecture::with_flag("--side", given, [&] {
    check(largest >= 1, "the side of a matrix is at least 1");
    const Tensor matrix = empty({largest, largest});  // memory that nobody touches costs nothing
    const Tensor copy = empty({largest, largest});
  });
}

std::vector<Timing> time_transposes(std::int64_t largest, int repeats, Device device) {
  std::vector<Timing> timings;
  for (std::int64_t side = 256; side < largest; side *= 2)
    timings.push_back(time_transpose(side, repeats, device));
  timings.push_back(time_transpose(largest, repeats, device));
  return timings;
}

void print_timings(const std::vector<Timing>& timings) {
  using lecture::Align;
  lecture::Table table({{"FP32 matrix"},
                        {"MiB", Align::decimal},
                        {"view, us", Align::decimal},
                        {"transpose and copy, us", Align::decimal},
                        {"plain copy, us", Align::decimal}});
  lecture::Plot plot{
      .title = "Views and copies",
      .x_label = "MiB",
      .y_label = "microseconds",
      .log_x = true,
      .log_y = true,
      .series = {{"view", {}, {}}, {"transpose and copy", {}, {}}, {"plain copy", {}, {}}}};
  for (const Timing& t : timings) {
    const double size = static_cast<double>(t.bytes) / 0x1p20;
    const double us[] = {t.view * 1e6, t.transposed_copy * 1e6, t.plain_copy * 1e6};
    table.row({fmt::format("{0} x {0}", t.side), fmt::format("{:.2f}", size),
               fmt::format("{:.3f}", us[0]), fmt::format("{:.1f}", us[1]),
               fmt::format("{:.1f}", us[2])});
    for (std::size_t k = 0; k < 3; ++k) {
      plot.series[k].x.push_back(size);
      plot.series[k].y.push_back(us[k]);
    }
  }
  table.print();
  plot.save("view_and_copy");
  lecture::value("mib", plot.series[0].x);
  lecture::value("view_us", plot.series[0].y);
  lecture::value("transposed_copy_us", plot.series[1].y);
  lecture::value("plain_copy_us", plot.series[2].y);
}

}  // namespace napkin
