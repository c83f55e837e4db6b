#include "common/numeric/block_formats.h"

#include <utility>

#include "common/core/error.h"

namespace napkin {

std::string_view name(ScaleRule rule) {
  if (rule == ScaleRule::floor) return "floor";
  return rule == ScaleRule::up ? "up" : "nearest";
}

ScaleRule scale_rule_named(std::string_view text) {
  for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest})
    if (text == name(rule)) return rule;
  fail("scale rule \"{}\" does not exist: floor, up, nearest", text);
}

BlockFormat block_format_named(std::string_view text) {
  using namespace block_formats;
  const std::pair<std::string_view, BlockFormat> known[] = {{"nvfp4", nvfp4},
                                                            {"mxfp8", mxfp8},
                                                            {"mxfp8_e5m2", mxfp8_e5m2},
                                                            {"mxfp4", mxfp4},
                                                            {"fp8", fp32_scaled(formats::e4m3fn)},
                                                            {"fp4", fp32_scaled(formats::e2m1)}};
  for (const auto& [name, format] : known)
    if (text == name) return format;
  fail("block format \"{}\" does not exist: nvfp4, mxfp8, mxfp8_e5m2, mxfp4, fp8, fp4", text);
}

}  // namespace napkin
