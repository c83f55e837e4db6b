#include "common/numeric/block_formats.h"

#include <utility>
#include <vector>

#include "common/core/names.h"

namespace napkin {

std::string_view name(ScaleRule rule) {
  if (rule == ScaleRule::floor) return "floor";
  return rule == ScaleRule::up ? "up" : "nearest";
}

ScaleRule scale_rule_named(std::string_view text) {
  for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest})
    if (same_name(text, name(rule))) return rule;
  refuse_name("scale rule", text, {"floor", "up", "nearest"});
}

static const std::pair<std::string_view, BlockFormat>& known_format(std::string_view text) {
  using namespace block_formats;
  static constexpr std::pair<std::string_view, BlockFormat> all[] = {
      {"nvfp4", nvfp4},
      {"mxfp8", mxfp8},
      {"mxfp8_e5m2", mxfp8_e5m2},
      {"mxfp4", mxfp4},
      {"fp8", fp32_scaled(formats::e4m3fn)},
      {"fp4", fp32_scaled(formats::e2m1)}};
  std::vector<std::string> names;
  for (const auto& known : all) {
    if (same_name(text, known.first)) return known;
    names.emplace_back(known.first);
  }
  refuse_name("block format", text, names);
}

BlockFormat block_format_named(std::string_view text) { return known_format(text).second; }

std::string_view block_format_name(std::string_view text) { return known_format(text).first; }

}  // namespace napkin
