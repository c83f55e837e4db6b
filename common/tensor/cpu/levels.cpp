#include "common/tensor/cpu/levels.h"

#include <hwy/highway.h>

#include "common/core/error.h"

namespace napkin::cpu {

namespace {

std::string level_name(std::int64_t target) {
  const std::string name = hwy::TargetName(target);
  if (name.starts_with("AVX3")) return "AVX-512";
  if (name.starts_with("NEON")) return "NEON";
  return name == "SCALAR" || name == "SSE2" || name.starts_with("EMU") ? "baseline" : name;
}

// Whether there is one level, which runs whatever the processor has. Highway is not asked then: it
// takes NEON for absent where the processor lacks instructions for AES, which no loop uses.
constexpr bool only_one = HWY_TARGETS == HWY_STATIC_TARGET;

std::vector<std::int64_t> targets() {
  if constexpr (only_one) return {HWY_STATIC_TARGET};
  return hwy::SupportedAndGeneratedTargets();
}

void choose(std::int64_t wanted) {
  if constexpr (only_one) return;
  hwy::SetSupportedTargetsForTest(wanted);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> levels() {
  std::vector<std::string> names;
  for (const std::int64_t target : targets()) names.push_back(level_name(target));
  return names;
}

ForcedLevel::ForcedLevel(const std::string& level) {
  for (const std::int64_t target : targets())
    if (level == level_name(target)) {
      choose(target);
      return;
    }
  fail("this processor has no level {}", level);
}

ForcedLevel::~ForcedLevel() { choose(0); }

}  // namespace napkin::cpu
