#include <cmath>

#include "common/core/units.h"
#include "common/io/npy.h"
#include "common/lecture/command_line/flag.h"
#include "common/numeric/block_formats.h"
#include "common/numeric/format_info.h"
#include "demos/02_floating_point/numbers.h"
#include "demos/02_floating_point/scales.h"
#include "demos/02_floating_point/what_if.h"

namespace napkin {
namespace {

struct {
  std::string format = "nvfp4", rule = "floor", file, block;
  std::int64_t count = 4096, every = 585;
  double amplitude = 120;
} in;

// FP64 holds numbers that the data, in FP32, does not.
void say_what_fp32_changes(const std::vector<double>& values) {
  std::int64_t changed = 0, lost = 0;
  for (const double x : values) {
    const double kept = rounded(formats::fp32, x, Overflow::to_special);
    if (kept == x || std::isnan(x)) continue;
    ++changed;
    if (kept == 0 || std::isinf(kept)) ++lost;
  }
  if (changed > 0)
    lecture::say("{} values of the file were rounded to fp32 first; {} became 0 or infinity.",
                 with_commas(changed), with_commas(lost));
}

// A file's array, its last dimension as rows.
Data data_of_file() {
  check(!in.file.empty(), "file \"\": give the name of a .npy file");
  const io::NpyArray array = io::load_npy(in.file);
  Data data{.values = {}};
  data.values.reserve(array.values.size());
  for (const double x : array.values) data.values.push_back(static_cast<float>(x));
  const auto count = static_cast<std::int64_t>(data.values.size());
  check(count > 0, "{}: there are no values in it", in.file);
  say_what_fp32_changes(array.values);
  data.columns = array.shape.empty() ? 1 : array.shape.back();
  data.rows = count / data.columns;
  return data;
}

Data chosen_data() {
  if (lecture::was_given("file")) {
    for (const char* flag : {"--seed", "--count", "--every", "--amplitude"})
      check(!lecture::was_given(flag), "{}: the values are those of {}", flag, in.file);
    return data_of_file();
  }
  check_data(in.count, in.every, in.amplitude);
  // The page draws the gradients of 3.6 from its seed, and these from the next one.
  const std::uint64_t seed = lecture::settings().seed + (lecture::was_given("--seed") ? 0 : 1);
  return data_with_outliers(seed, in.count, in.every, in.amplitude);
}

void quantize_data() {
  using lecture::with_flag;
  BlockFormat format =
      with_flag("--format", in.format, [] { return block_format_named(in.format); });
  format.rule = with_flag("--scale-rule", in.rule, [] { return scale_rule_named(in.rule); });
  const bool power_of_two = format.scale.specials == Specials::scale;
  check(power_of_two || !lecture::was_given("--scale-rule"),
        "--scale-rule {}: only the scales of mxfp8 and mxfp4 are powers of two", in.rule);
  std::int64_t block = 0;  // as the format says
  if (lecture::was_given("--block"))
    block = lecture::whole_number("--block", in.block, 1, std::int64_t{1} << 40);
  const Data data = chosen_data();
  const InBlocks result = in_blocks(data, format, block);

  const std::string rule_text = power_of_two ? fmt::format(" {}", name(format.rule)) : "";
  lecture::say("{} values, {} a row; elements {}, scales {}{}: {} of them",
               with_commas(static_cast<std::int64_t>(data.values.size())),
               with_commas(data.columns), name(format.element), name(format.scale), rule_text,
               with_commas(result.kept.scales));
  print_kept({{std::string(block_format_name(in.format)),
               fmt::format("{}{}", name(format.scale), rule_text), result.kept}});
  if (format.tensor_scale) lecture::say("scale of the tensor: {}", digits(result.tensor_scale));
  lecture::value("count", std::ssize(data.values));
  lecture::value("columns", data.columns);
  lecture::value("scale_count", result.kept.scales);
  lecture::value("zeros", result.kept.zeros);
  lecture::value("error", result.kept.error);
  lecture::value("bits_per_value", result.kept.bits);
  if (result.kept.clipped) lecture::value("clipped", *result.kept.clipped);
  lecture::value("tensor_scale", result.tensor_scale);
  if (result.codes.empty()) return;
  lecture::value("scales", result.scales);
  lecture::value("codes", result.codes);
}

}  // namespace

void add_quantize_command(lecture::Demo& demo) {
  demo.command("quantize", "what a block format keeps of data with outliers", quantize_data)
      .input("--format", in.format, "nvfp4, mxfp8, mxfp8_e5m2, mxfp4, fp8 or fp4")
      .input("file", in.file, "a .npy file of float16, float32 or float64 (rounded to fp32 first)")
      .input("--block", in.block,
             "values that share a scale (default: the format's own; all in fp8 and fp4)")
      .input("--scale-rule", in.rule, "floor, up or nearest: to which power of two")
      .input("--count", in.count,
             "without a file: so many Gaussian values, those of 3.6 or from --seed")
      .input("--every", in.every, "one value in so many is an outlier; 0: none")
      .input("--amplitude", in.amplitude, "what outliers are multiplied by");
}

}  // namespace napkin
