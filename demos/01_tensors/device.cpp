#include "demos/01_tensors/device.h"

#include "common/core/stopwatch.h"
#include "common/gpu/copy.h"
#include "common/gpu/runtime.h"
#include "common/gpu/timer.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/matmul.h"

namespace napkin {
namespace {

using lecture::Align;
using lecture::phrase;
using lecture::translated;

std::int64_t mib_moved() { return lecture::settings().quick ? 16 : 256; }
int repeats() { return lecture::settings().quick ? 2 : 5; }

double gb_per_second(double bytes, double seconds) { return bytes / seconds / 1e9; }

// Seconds of copies between the computer and the GPU, there and back.
struct Link {
  double to_gpu, to_host;
};

Link time_pinned(const Tensor& there) {
  const std::int64_t bytes = there.bytes();
  gpu::PinnedMemory here(bytes);
  return {gpu::best_seconds(repeats(), 1, [&] { here.copy_to(there.raw_data(), bytes); }),
          gpu::best_seconds(repeats(), 1, [&] { here.copy_from(there.raw_data(), bytes); })};
}

Link time_pageable(const Tensor& there) {
  const Tensor here = ones(there.shape());
  const std::int64_t bytes = there.bytes();
  gpu::synchronize();
  return {best_seconds(repeats(), 1,
                       [&] { gpu::copy_to_gpu(there.raw_data(), here.raw_data(), bytes); }),
          best_seconds(repeats(), 1,
                       [&] { gpu::copy_to_host(here.raw_data(), there.raw_data(), bytes); })};
}

void measure_link() {
  const Tensor there = ones({mib_moved() << 18}, {.device = Device::cuda});
  Tensor other = empty_like(there);
  const auto bytes = static_cast<double>(there.bytes());
  const double copy = gpu::best_seconds(repeats(), 4, [&] { other.copy_(there); });
  const Link pinned = time_pinned(there), pageable = time_pageable(there);

  lecture::say("Copies of {} MiB:", mib_moved());
  lecture::Table table({{"way"}, {"GB/s", Align::decimal}, {"times slower", Align::decimal}});
  const double device = gb_per_second(2 * bytes, copy);  // read and written
  const auto row = [&](std::string way, double rate) {
    table.row({std::move(way), fmt::format("{:.1f}", rate), fmt::format("{:.1f}", device / rate)});
    return rate;
  };
  row(translated("within the GPU's memory"), device);
  const auto both = [&](const std::string& memory, const Link& link) {
    return std::max(row(phrase("computer to GPU, {}", memory), gb_per_second(bytes, link.to_gpu)),
                    row(phrase("GPU to computer, {}", memory), gb_per_second(bytes, link.to_host)));
  };
  const double best_pinned = both(translated("pinned memory"), pinned);
  const double best_pageable = both(translated("ordinary memory"), pageable);
  table.print();
  lecture::say("Pinned memory stays where it is, so that the GPU fetches it without help.");
  lecture::value("device_gb_s", device);
  lecture::value("pinned_gb_s", best_pinned);
  lecture::value("pageable_gb_s", best_pageable);
  lecture::gap();
  if (gpu::shares_memory())
    lecture::skip_claim("host_link_slower", "computer and GPU share their memory");
  else
    lecture::claim("host_link_slower", device / best_pinned);
}

// Seconds of a product of matrices by the program's clock: read at once, and after waiting.
struct Waiting {
  double asked = std::numeric_limits<double>::infinity(), done = asked;
};

Waiting time_product(const Tensor& x) {
  Waiting best;
  for (int r = 0; r <= repeats(); ++r) {  // the first one warms up
    gpu::synchronize();
    const Stopwatch watch;
    const Tensor y = matmul(x, x);
    const double asked = watch.seconds();
    gpu::synchronize();
    const double done = watch.seconds();
    if (r > 0) best = {std::min(best.asked, asked), std::min(best.done, done)};
  }
  return best;
}

void measure_waiting() {
  const std::int64_t n = lecture::settings().quick ? 2048 : 4096;
  const Tensor x = ones({n, n}, {.device = Device::cuda});
  Waiting time;
  try {
    time = time_product(x);
  } catch (const Error& refused) {  // cuBLAS may be missing
    lecture::print_refusal(refused.what(), translated("no product of matrices on this GPU"));
    lecture::skip_claim("unsynchronised_lies", "no product of matrices on this GPU");
    return;
  }

  lecture::say("y = matmul(x, x), {} x {} in FP32, by the clock of the program:", n, n);
  lecture::Table table(
      {{"the clock is read"}, {"us", Align::decimal}, {"TFLOP/s", Align::decimal}});
  const double flops = 2.0 * static_cast<double>(n * n) * static_cast<double>(n);
  const auto row = [&](const char* when, double seconds) {
    table.row({translated(when), fmt::format("{:.1f}", seconds * 1e6),
               fmt::format("{:.1f}", flops / seconds / 1e12)});
  };
  row("at once: only the asking is timed", time.asked);
  row("after gpu::synchronize(): the work is done", time.done);
  table.print();
  lecture::value("unsynchronised_us", time.asked * 1e6);
  lecture::value("synchronised_us", time.done * 1e6);
  lecture::gap();
  lecture::claim("unsynchronised_lies", time.done / time.asked);
  lecture::what_to_see("a rate that no GPU has: the clock was read too early.");
}

}  // namespace

void print_devices() {
  lecture::Table table({{"device"}, {"its data lives in"}, {"here"}});
  table.row({"cpu", translated("the computer's memory"),
             phrase("{} threads", lecture::settings().threads)});
  table.row({"cuda", translated("the memory of an NVIDIA GPU"),
             gpu::available() ? gpu::describe() : translated(gpu::describe())});
  table.row({"mps", translated("the memory of an Apple chip"), translated("not built here")});
  table.row({"meta", translated("nowhere: shapes and strides only"), translated("always there")});
  table.print();
  lecture::say(
      "Between computer and GPU lies a narrow link: copy data over once and keep it there.");
  lecture::say("A GPU works while the program goes on: wait for it before you read the clock.");
}

void measure_gpu() {
  measure_link();
  lecture::gap();
  measure_waiting();
}

}  // namespace napkin
