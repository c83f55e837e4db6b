// 02 Floating point: what a number keeps when it has fewer bits (lecture 3).
#include <cmath>
#include <set>

#include "common/core/units.h"
#include "common/gpu/runtime.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "demos/02_floating_point/accumulate.h"
#include "demos/02_floating_point/inputs.h"
#include "demos/02_floating_point/mixed_precision.h"
#include "demos/02_floating_point/numbers.h"
#include "demos/02_floating_point/pictures.h"
#include "demos/02_floating_point/scales.h"
#include "demos/02_floating_point/what_if.h"

using namespace napkin;
using namespace napkin::formats;
using lecture::Align;
using lecture::translated;

static Inputs in;  // the lecture's setting; every one is a flag

// As the format keeps it; past the largest number comes infinity, or NaN where there is none.
static double as(const Format& format, double x) {
  return rounded(format, x, Overflow::to_special);
}

// ---- 3.1 ------------------------------------------------------------------------------------

static void range_and_spacing() {
  lecture::say("A number is (-1)^sign x 1.mantissa x 2^(exponent - bias).");
  lecture::say("Exponent bits give the range, mantissa bits how close the next number is.");
  print_formats();
  lecture::what_to_see("bits given to the exponent are taken from the mantissa: range or digits.");
}

static void bits_and_lines() {
  lecture::say("{} in bits:", in.number);
  print_bits(number_of_any_format(in.number), {fp32, tf32, fp16, bf16, e4m3fn, e5m2, e2m1});
  lecture::gap();
  lecture::say("On a line, each | is a number, # are several too close to be drawn apart:");
  print_number_line("FP4 E2M1", e2m1, info(e2m1).max);
  print_number_line("FP8 E4M3", e4m3fn, info(e4m3fn).max);
  print_number_line("FP8 E4M3", e4m3fn, info(e4m3fn).max / 16);
  lecture::what_to_see("each power of two doubles the gaps; closer up it looks the same.");
}

// ---- 3.2 ------------------------------------------------------------------------------------

static void fp16_has_little_range() {
  const double scaled = as(fp16, in.small * in.loss_scale) / in.loss_scale;
  lecture::Table table({{"number"}, {"in FP16"}, {""}});
  table.row({digits(in.small), digits(as(fp16, in.small)),
             lecture::phrase("half of FP16's smallest number is {}",
                             significant(info(fp16).smallest_subnormal / 2, 3))});
  table.row({digits(in.large), digits(as(fp16, in.large)),
             lecture::phrase("FP16's largest number is {}", digits(info(fp16).max))});
  table.row({fmt::format("{} x {}", digits(in.small), digits(in.loss_scale)),
             digits(as(fp16, in.small * in.loss_scale)),
             lecture::phrase("divided again: {}", significant(scaled, 6))});
  table.print();
  lecture::gap();
  lecture::claim("fp16_underflow", as(fp16, in.small));
  lecture::claim("fp16_overflow", as(fp16, in.large));
  lecture::claim("loss_scaling_saves", scaled);
}

static void loss_scaling() {
  const std::vector<float> gradients =
      gradients_of_many_sizes(lecture::settings().seed, in.count, in.gradients);
  lecture::say("{} gradients around {}, in FP16, before and after x {}:", with_commas(in.count),
               digits(in.gradients), digits(in.loss_scale));
  print_sizes(gradients, in.loss_scale, fp16);
  lecture::show("lost before scaling", 100 * share_lost(gradients, 1, fp16), "%");
  lecture::show("lost after scaling", 100 * share_lost(gradients, in.loss_scale, fp16), "%");
  print_dynamic_scaling(in.largest_gradient);
  lecture::what_to_see("the scale moves all sizes up; divide by it before the update.");
}

// ---- 3.3 ------------------------------------------------------------------------------------

static void bf16_keeps_the_range() {
  print_bits(number_of_any_format(in.number), {fp32, bf16});
  lecture::gap();
  lecture::Table table({{"BF16"}, {"is"}, {"spacing there"}});
  const auto row = [&](std::string what, double result) {
    table.row({std::move(what), digits(result), digits(spacing(bf16, result))});
  };
  row(digits(in.small), as(bf16, in.small));
  row(digits(in.large), as(bf16, in.large));
  row("1 + " + digits(in.next_to_1), rounded_sum(bf16, 1, as(bf16, in.next_to_1)));
  row("1024 + " + digits(in.next_to_1024), rounded_sum(bf16, 1024, as(bf16, in.next_to_1024)));
  table.print();
  lecture::gap();
  lecture::claim("bf16_1e8", as(bf16, in.small));
  lecture::claim("bf16_70000", as(bf16, in.large));
  lecture::claim("bf16_1_001", rounded_sum(bf16, 1, as(bf16, in.next_to_1)));
  lecture::claim("bf16_spacing_1024", spacing(bf16, 1024));
  lecture::claim("bf16_1024_1", rounded_sum(bf16, 1024, as(bf16, in.next_to_1024)));
  lecture::claim("bf16_is_top_half", bf16_is_the_upper_half());
  lecture::claim("bf16_decimal_digits", (bf16.mantissa_bits + 1) * std::log10(2));
  lecture::claim("range_kept_bf16", info(bf16).smallest_normal / info(fp32).smallest_normal);
  lecture::what_to_see("FP32's exponent, so its range; 8 significant bits, so 2 to 3 digits.");
}

// ---- 3.4 ------------------------------------------------------------------------------------

static void sums_need_fp32() {
  const auto sum = [](const Format& term, const Format& total, bool kahan = false) {
    return accumulate({term, total, 0, in.add, in.times, kahan});
  };
  const std::vector<NamedSum> sums = {{"FP32", sum(fp32, fp32), fp32},
                                      {"FP16", sum(fp16, fp16), fp16},
                                      {"BF16", sum(bf16, bf16), bf16},
                                      {translated("BF16, summed in FP32"), sum(bf16, fp32), fp32},
                                      {translated("BF16, Kahan"), sum(bf16, bf16, true), bf16}};
  lecture::say("{} added {} times:", digits(in.add), with_commas(in.times));
  print_sums(sums);
  explain(sums[2], in.add);
  lecture::say("Of {} BF16 keeps {}: {} of these are {}, which an FP32 sum shows.", digits(in.add),
               digits(as(bf16, in.add)), with_commas(in.times),
               significant(static_cast<double>(in.times) * as(bf16, in.add), 7));
  lecture::say(
      "Kahan adds to the next number what rounding took; kept in BF16, that is rounded, too.");
  lecture::gap();
  plot_sums(sums);
  lecture::gap();
  lecture::claim("accumulate_fp32", sums[0].result.sum);
  lecture::claim("accumulate_fp16", sums[1].result.sum);
  lecture::claim("accumulate_bf16", sums[2].result.sum);
  lecture::claim("accumulate_bf16_in_fp32", sums[3].result.sum);
  lecture::claim("bf16_spacing_4_8", spacing(bf16, 4));
  lecture::what_to_see("a sum sticks where what is added is no more than half the spacing.");
}

static void weights_need_fp32() {
  const auto after = [](const Format& f) {
    return accumulate({f, f, in.weight, -in.update, in.steps}).sum;
  };
  lecture::say("{} minus {}, {} times:", digits(in.weight), digits(in.update),
               with_commas(in.steps));
  lecture::Table table({{"weight"}, {"after all steps"}});
  table.row({"BF16", digits(after(bf16))});
  table.row({translated("FP32 (master weight)"), significant(after(fp32), 8)});
  table.row({translated("its BF16 copy, for the products"), digits(as(bf16, after(fp32)))});
  table.print();
  lecture::gap();
  lecture::claim("update_bf16", after(bf16));
  lecture::claim("update_fp32", after(fp32));
  lecture::what_to_see("updates are far smaller than weights: weights are kept in FP32.");
}

// ---- 3.5 ------------------------------------------------------------------------------------

static void mixed_precision() {
  print_types();
  lecture::gap();
  lecture::claim("autocast_cpu_matmul", autocast_type("matmul", Device::cpu, DType::fp32));
  lecture::claim("autocast_cpu_softmax", autocast_type("softmax", Device::cpu, DType::bf16));
  lecture::claim("autocast_cpu_loss", autocast_type("cross_entropy", Device::cpu, DType::bf16));
  lecture::claim("autocast_cuda_softmax", autocast_type("softmax", Device::cuda, DType::bf16));
  lecture::what_to_see("the table depends on the device: raise important sums yourself.");
}

// ---- 3.6 ------------------------------------------------------------------------------------

static void fp4_has_15_numbers() {
  std::set<double> all;
  for (std::uint32_t code = 0; code < 16; ++code) all.insert(decode(e2m1, code));
  const std::vector<double> from_zero(all.find(0), all.end());
  print_codes(e2m1);
  lecture::gap();
  lecture::claim("fp4_count", all.size());
  lecture::claim("fp4_values", from_zero);
}

static void fp8_needs_a_scale() {
  const Data x = normal_data(lecture::settings().seed, in.count, in.fp8_gradients);
  const Kept direct = kept_directly(x, e4m3fn);
  const Kept scaled = in_blocks(x, block_formats::fp32_scaled(e4m3fn), 0).kept;
  lecture::say("{} gradients of about {} in FP8 E4M3, scale = max|x| / 448:", with_commas(in.count),
               digits(in.fp8_gradients));
  print_kept({{"E4M3", translated("none"), direct, {{"fp8_direct_zeros", Part::zeros}}},
              {"E4M3",
               lecture::phrase("FP32, one for all"),
               scaled,
               {{"fp8_scaled_zeros", Part::zeros}, {"fp8_scaled_error", Part::error}}}});
  lecture::say("Error: the length of what was lost, norm(read - x) / norm(x).");
}

static void outliers_need_blocks() {
  const Data x = data_with_outliers(lecture::settings().seed + 1, in.count, in.every, in.amplitude);
  if (in.every > 0)
    lecture::say("{} Gaussian values; one in {} is an outlier, x {}.", with_commas(in.count),
                 in.every, digits(in.amplitude));
  else
    lecture::say("{} Gaussian values without outliers.", with_commas(in.count));
  const std::vector<Line> lines = every_format(x, in.block);
  print_kept({lines.begin(), lines.begin() + 2});
  lecture::gap();
  lecture::say("The same values in other formats:");
  print_kept({lines.begin() + 2, lines.end()});
  lecture::say(
      "Floor, up, nearest: the power of two that a block's scale becomes. Clipped: values "
      "beyond the largest number of their block. Became 0: of those that are no outliers.");
  lecture::gap();
  using namespace block_formats;
  lecture::claim("mxfp8_block", in_blocks(x, mxfp8, 0).kept.scales);
  lecture::claim("nvfp4_block", in_blocks(x, nvfp4, 0).kept.scales);
  lecture::what_to_see("with a scale for each block an outlier spoils only its own block.");
}

// ---- 13 -------------------------------------------------------------------------------------

static void exercise_3() {
  print_nearest(bf16, 1024, in.exercise3);
  lecture::gap();
  for (const auto& [id, i] : {std::pair{"ex3_1024_1", 0u}, {"ex3_1024_4", 1u}, {"ex3_1024_5", 2u}})
    lecture::claim(id, as(bf16, 1024 + static_cast<double>(in.exercise3[i])));
}

int main(int argc, char** argv) {
  set_gpu_probe(gpu::probe);
  lecture::Demo demo("02_floating_point", "Floating point: range, digits, and scales", "3.1 - 3.6");
  demo.section("3.1", "Range and spacing", range_and_spacing);
  demo.section("3.1", "Bits, and numbers on a line", bits_and_lines);
  demo.section("3.2", "FP16: too little range", fp16_has_little_range);
  demo.section("3.2", "Loss scaling", loss_scaling);
  demo.section("3.3", "BF16: the range of FP32, fewer digits", bf16_keeps_the_range);
  demo.section("3.4", "Sums stick", sums_need_fp32);
  demo.section("3.4", "Master weights", weights_need_fp32);
  demo.section("3.5", "Mixed precision", mixed_precision);
  demo.section("3.6", "FP4: 15 numbers", fp4_has_15_numbers);
  demo.section("3.6", "FP8: one scale for all", fp8_needs_a_scale);
  demo.section("3.6", "Outliers: a scale for each block", outliers_need_blocks);
  demo.section("13.3", "Exercise 3: sums in BF16", exercise_3);
  add_inputs(demo, in);
  demo.seed(0);
  refuse_bad(demo, in);
  add_show_command(demo);
  add_encode_command(demo);
  add_accumulate_command(demo);
  add_quantize_command(demo);
  demo.try_next("./lecture run 02 show 0.1");
  demo.try_next("./lecture run 02 accumulate --add 0.01 --times 10000 --format bf16 --sum fp32");
  demo.try_next("./lecture run 02 quantize --format nvfp4 --seed 1");
  demo.try_next("./lecture grade 02");
  return demo.run(argc, argv);
}
