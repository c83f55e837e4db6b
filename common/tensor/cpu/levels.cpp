#include "common/tensor/cpu/levels.h"

#include <hwy/highway.h>

#include "common/core/error.h"

namespace napkin::cpu {

namespace {

std::string level_name(std::int64_t target) {
  const std::string name = hwy::TargetName(target);
  if (name.starts_with("AVX3")) return "AVX-512";
  return name == "SCALAR" || name.starts_with("EMU") ? "baseline" : name;
}

}  // namespace

std::vector<std::string> levels() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    names.push_back(level_name(target));
  return names;
}

ForcedLevel::ForcedLevel(const std::string& level) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (level == level_name(target)) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      return;
    }
  fail("this processor has no level {}", level);
}

ForcedLevel::~ForcedLevel() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace napkin::cpu
