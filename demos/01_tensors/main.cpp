// 01 Tensors: a strip of memory, a way to walk it, and what it costs in bytes (lecture 2).
#include <cmath>

#include "common/core/joined.h"
#include "common/core/traffic.h"
#include "common/core/units.h"
#include "common/gpu/runtime.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "demos/01_tensors/device.h"
#include "demos/01_tensors/flags.h"
#include "demos/01_tensors/strip.h"
#include "demos/01_tensors/timing.h"
#include "demos/01_tensors/view_table.h"
#include "demos/01_tensors/what_if.h"

using namespace napkin;
using lecture::Align;
using lecture::phrase;
using lecture::translated;

// The lecture's setting; every one is a flag.
static struct {
  Numbers matrix = {12288, 49152};  // GPT-3: width x feed-forward width
  std::int64_t layers = 96;
  double gpu_gb = 80;  // one H100
  std::string dtype = "fp32";
  Numbers strip = {3, 4}, index = {1, 2};
  std::int64_t side = 4096;
  Numbers exercise1 = {32, 1024, 4096};
  std::string exercise1_dtype = "bf16";
  Numbers exercise2 = {2, 3, 4}, exercise2_index = {1, 2, 3};
  Numbers exercise2_transpose = {0, 2};
} in;

static double gb(std::int64_t bytes) { return static_cast<double>(bytes) / 1e9; }
static double mib(std::int64_t bytes) { return static_cast<double>(bytes) / 0x1p20; }

// ---- 2.1 ------------------------------------------------------------------------------------

static void everything_is_a_tensor() {
  lecture::say("The rank of a tensor is the number of indices that one element needs.");
  lecture::Table table({{"tensor"}, {"shape"}, {"rank", Align::right}, {"elements", Align::right}});
  const auto row = [&](std::string_view what, const Shape& shape) {
    const Tensor x = empty(shape, {.device = Device::meta});
    table.row(
        {translated(what), tuple(shape), fmt::format("{}", x.rank()), with_commas(x.numel())});
  };
  row("a loss", {});
  row("a bias", {4096});
  row("a weight matrix", {4096, 1024});
  row("attention: batch, heads, sequence, head dimension", {8, 32, 2048, 128});
  table.print();
}

// ---- 2.2 ------------------------------------------------------------------------------------

// Two feed-forward matrices in every layer.
static std::int64_t all_layers(std::int64_t bytes) {
  return lecture::with_flag("--layers", fmt::format("{}", in.layers), [&] {
    check(in.layers >= 0, "a number of layers is 0 or more");
    return multiply(multiply(bytes, 2), in.layers);
  });
}

static void memory_is_count_times_bytes() {
  const Traffic traffic;
  const Tensor x = on_meta("--matrix", in.matrix, "--dtype", in.dtype);
  const Shape& shape = x.shape();
  const std::int64_t bytes = count_elements(shape) * size_of(x.dtype());  // the lecture's formula

  const std::int64_t all = all_layers(bytes);

  lecture::Table table({{"tensor"}, {"shape"}, {"type"}, {"bytes", Align::right}, {""}});
  const auto row = [&](std::string what, const Tensor& t, std::int64_t b, std::string remark) {
    table.row({std::move(what), times(t.shape()), std::string(name(t.dtype())), with_commas(b),
               std::move(remark)});
  };
  const auto sizes = [](std::int64_t b) {
    return fmt::format("{:.2f} GB = {:.2f} GiB", gb(b), mib(b) / 1024);
  };
  const bool is_gpt3 = !lecture::was_given("--matrix");
  row(translated(is_gpt3 ? "GPT-3 feed-forward matrix" : "the matrix"), x, bytes, sizes(bytes));
  const DType other = x.dtype() == DType::bf16 ? DType::fp32 : DType::bf16;
  const Tensor same = empty(shape, {.dtype = other, .device = Device::meta});
  row(phrase("the same in {}", name(other)), same, same.bytes(), sizes(same.bytes()));
  row(phrase("two in each of {} layers", in.layers), x, all, sizes(all));
  row(translated("allocated for the first"), x, traffic.allocated(),
      translated("device meta: no data"));
  table.print();
  lecture::say("One GPU of {} GB holds {:.0f} such matrices; those of all layers need {:.0f} GPUs.",
               in.gpu_gb, std::floor(in.gpu_gb / gb(bytes)), std::ceil(gb(all) / in.gpu_gb));

  lecture::gap();
  lecture::claim("gpt3_matrix_bytes", bytes);
  lecture::claim("gpt3_matrix_mib", mib(bytes));
  lecture::claim("gpt3_ffn_gb", gb(all));
  lecture::claim("meta_bytes_allocated", traffic.allocated());
  lecture::claim("meta_bytes_reported", x.bytes());
  lecture::what_to_see("one product says what fits. A GiB is 7 % more than a GB: name the unit.");
}

// ---- 2.3 ------------------------------------------------------------------------------------

static void strides_walk_the_strip() {
  const Tensor x = on_meta("--strip", in.strip, "", "fp32");
  const Shape& shape = x.shape();
  const std::int64_t at = position_of(x, "--index", in.index);

  lecture::say("x = arange({}).view({}, {}): shape {}, strides {}", x.numel(), shape[0], shape[1],
               tuple(x.shape()), tuple(x.strides()));
  if (const std::string whole = strip(x, shape[1]); !whole.empty()) {
    const auto draw = [&](std::string_view view, const Tensor& v, const std::string& what) {
      lecture::print_line(lecture::pad(view, 9) + strip(v, shape[1]) + (what.empty() ? "" : "   ") +
                          what);
    };
    draw(translated("storage"), x, "");
    if (shape[0] > 1) draw("x[1]", x[1], phrase("a row, step {}", x.stride(1)));
    if (shape[1] > 2) draw("x[:, 2]", x.select(1, 2), phrase("a column, step {}", x.stride(0)));
    draw("x.t()", x.t(), translated("the same cells, in another order:"));
    lecture::say("x.t() visits {}", walk(x.t()));
  }
  lecture::say("x[{}] stands at {} = {}", joined(in.index, ", "), position_sum(x, in.index), at);
  lecture::gap();
  lecture::claim("strides_3x4", listed(x.strides()));
  lecture::claim("offset_3x4_1_2", at);
}

// 0 to 11 as 3 x 4, where --device says.
static Tensor up_to_eleven() {
  return arange(12, {.dtype = DType::fp32, .device = lecture::settings().device}).view({3, 4});
}

static void what_is_free_and_what_copies() {
  const Tensor x = up_to_eleven();
  if (lecture::was_given("--strip")) lecture::say("Here x is arange(12).view(3, 4) again.");
  ViewTable table(x);
  const auto row = [&](const char* code, auto operation) { return table.row(code, operation); };
  const Seen transpose = row("x.t()", [&] { return x.t(); });
  const Seen slice = row("x[:, 1:3]", [&] { return x.slice(1, 1, 3); });
  row("x[1]", [&] { return x[1]; });
  const Seen view = row("x.view(2, 6)", [&] { return x.view({2, 6}); });
  const Seen expand = row("x[:, :1].expand(3, 5)", [&] { return x.slice(1, 0, 1).expand({3, 5}); });
  const Seen contiguous = row("x.t().contiguous()", [&] { return x.t().contiguous(); });
  row("x.t().reshape(12)", [&] { return x.t().reshape({12}); });
  row("x.clone()", [&] { return x.clone(); });
  row("x * 2", [&] { return x * 2; });
  table.print();
  lecture::gap();
  lecture::claim("transpose_shares", transpose.shares);
  lecture::claim("slice_shares", slice.shares);
  lecture::claim("expand_shares", expand.shares);
  lecture::claim("contiguous_copies", contiguous.shares);
  lecture::claim("view_allocates", transpose.taken + slice.taken + expand.taken + view.taken);
  lecture::what_to_see("views move and take nothing; every other result is new memory.");
}

static void a_copy_pays_for_its_bytes() {
  const int repeats = lecture::settings().quick ? 2 : 5;
  const Device device = lecture::settings().device;
  const std::vector<Timing> timings = time_transposes(in.side, repeats, device);
  print_timings(timings);
  lecture::gap();
  if (device != Device::cpu) lecture::say("The lecture's figures are a processor's, as these are:");
  const Timing t = device == Device::cpu ? timings.back() : time_transpose(in.side, repeats);
  lecture::claim("transpose_copy_bytes", t.bytes);
  lecture::claim("view_time_us", t.view * 1e6);
  lecture::claim("copy_time_ms", t.transposed_copy * 1e3);
  lecture::claim("copy_over_view", t.transposed_copy / t.view);
  lecture::what_to_see("a view costs the same at any size; a copy reads and writes every byte.");
}

static void two_traps() {
  const Tensor x = up_to_eleven();
  Tensor row = x[1];
  row[0].fill_(100);
  lecture::say("1. A view shares data: after row = x[1]; row[0] = 100, x[1, 0] is {}.",
               x.at({1, 0}).to_double());
  const std::string transposed = refusal_of([&] { x.t().view({-1}); });
  lecture::say("2. A transpose has no view(-1), since one stride cannot walk its cells in order:");
  lecture::print_refusal(transposed,
                         translated("no single stride walks these cells: reshape copies"));
  const Tensor big = zeros({1'000'000}, {.device = lecture::settings().device});
  lecture::say("3. A small view keeps the whole strip: {} B seen, {} B held.",
               with_commas(big.slice(0, 0, 1000).bytes()),
               with_commas(big.slice(0, 0, 1000).storage_bytes()));
  Tensor expanded = x.slice(0, 0, 1).expand({3, 4});
  lecture::say("4. Writing into an expanded tensor is refused, since its three rows are one:");
  lecture::print_refusal(refusal_of([&] { expanded.mul_(2); }),
                         translated("several elements share one place in memory: clone() first"));
  lecture::gap();
  lecture::claim("row_write_shows", x.at({1, 0}).to_double());
  lecture::claim("transposed_view_refused", !transposed.empty());
}

// ---- 2.4 ------------------------------------------------------------------------------------

static void devices() {
  print_devices();
  lecture::gap();
  if (lecture::settings().gpu) measure_gpu();  // else the claims are skipped
}

// ---- 13 -------------------------------------------------------------------------------------

static void exercise_1() {
  const Tensor x =
      on_meta("--exercise1-shape", in.exercise1, "--exercise1-dtype", in.exercise1_dtype);
  lecture::say("{} of {}: {} x {} B = {} B", tuple(x.shape()), in.exercise1_dtype,
               with_commas(x.numel()), size_of(x.dtype()), with_commas(x.bytes()));
  lecture::gap();
  lecture::claim("ex1_bytes", x.bytes());
  lecture::claim("ex1_mib", mib(x.bytes()));
}

static void exercise_2() {
  const Tensor x = on_meta("--exercise2-shape", in.exercise2, "", "fp32");
  const std::int64_t at = position_of(x, "--exercise2-index", in.exercise2_index);
  const Tensor y = transposed(x, "--exercise2-transpose", in.exercise2_transpose);
  lecture::Table table({{"tensor"}, {"shape"}, {"strides"}, {"contiguous"}});
  for (const auto& [what, t] : {std::pair{"x", x}, std::pair{"transposed", y}})
    table.row({translated(what), tuple(t.shape()), tuple(t.strides()),
               translated(t.is_contiguous() ? "yes" : "no")});
  table.print();
  lecture::say("x[{}] stands at {} = {}", joined(in.exercise2_index, ", "),
               position_sum(x, in.exercise2_index), at);
  lecture::gap();
  lecture::claim("ex2_strides", listed(x.strides()));
  lecture::claim("ex2_position", at);
  lecture::claim("ex2_transposed_shape", listed(y.shape()));
  lecture::claim("ex2_transposed_strides", listed(y.strides()));
  lecture::claim("ex2_contiguous", y.is_contiguous());
}

static void refuse_bad_inputs(lecture::Demo& demo) {
  demo.check_inputs("2.2", [] {
    check(!in.matrix.empty(), "--matrix \"\": give its sizes, for example 12288,49152");
    all_layers(on_meta("--matrix", in.matrix, "--dtype", in.dtype).bytes());
    check(in.gpu_gb > 0 && std::isfinite(in.gpu_gb), "--gpu-gb {}: more than 0, finite", in.gpu_gb);
  });
  demo.check_inputs("2.3", [] {
    check(in.strip.size() == 2, "--strip {}: give two sizes, for example 3,4",
          lecture::as_typed(joined(in.strip, ",")));
    position_of(on_meta("--strip", in.strip, "", "fp32"), "--index", in.index);
    check_side(in.side);
  });
  demo.check_inputs("13.1", [] {
    on_meta("--exercise1-shape", in.exercise1, "--exercise1-dtype", in.exercise1_dtype);
  });
  demo.check_inputs("13.2", [] {
    const Tensor x = on_meta("--exercise2-shape", in.exercise2, "", "fp32");
    position_of(x, "--exercise2-index", in.exercise2_index);
    transposed(x, "--exercise2-transpose", in.exercise2_transpose);
  });
}

int main(int argc, char** argv) {
  set_gpu_probe(gpu::probe);
  lecture::Demo demo("01_tensors", "Tensors: a strip of memory and a way to walk it", "2.1 - 2.4");
  demo.section("2.1", "Everything is a tensor", everything_is_a_tensor);
  demo.section("2.2", "Memory = elements x bytes per element", memory_is_count_times_bytes);
  demo.section("2.3", "Strides: one strip, many views", strides_walk_the_strip);
  demo.section("2.3", "What is free and what copies", what_is_free_and_what_copies);
  demo.section("2.3", "What a copy costs", a_copy_pays_for_its_bytes);
  demo.section("2.3", "Traps", two_traps);
  demo.section("2.4", "Devices", devices);
  demo.section("13.1", "Exercise 1: bytes of an activation", exercise_1);
  demo.section("13.2", "Exercise 2: strides and positions", exercise_2);

  demo.input("--matrix", in.matrix, "2.2: shape of the weight matrix");
  demo.input("--layers", in.layers, "2.2: layers with two such matrices each");
  demo.input("--gpu-gb", in.gpu_gb, "2.2: memory of one GPU, in GB");
  demo.input("--dtype", in.dtype, "2.2: element type of the matrix");
  demo.input("--strip", in.strip, "2.3: rows and columns of the strip that is drawn");
  demo.input("--index", in.index, "2.3: the element whose position is worked out");
  demo.input("--side", in.side, "2.3: side of the largest matrix that is transposed");
  demo.input("--exercise1-shape", in.exercise1, "13.1: shape");
  demo.input("--exercise1-dtype", in.exercise1_dtype, "13.1: element type");
  demo.input("--exercise2-shape", in.exercise2, "13.2: shape");
  demo.input("--exercise2-index", in.exercise2_index, "13.2: the element");
  demo.input("--exercise2-transpose", in.exercise2_transpose, "13.2: dimensions to exchange");
  refuse_bad_inputs(demo);
  add_stride_command(demo);
  add_bytes_command(demo);
  demo.try_next("./lecture run 01 stride --shape 2,3,4 --index 1,2,3");
  demo.try_next("./lecture run 01 bytes --shape 12288,49152 --dtype bf16");
  demo.try_next("./lecture grade 01");
  return demo.run(argc, argv);
}
