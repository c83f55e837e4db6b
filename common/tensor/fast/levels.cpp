#include <hwy/highway.h>

#include "common/core/error.h"
#include "common/tensor/fast/loops.h"

namespace napkin::fast {

std::vector<std::string> levels() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    names.emplace_back(hwy::TargetName(target));
  return names;
}

ForcedLevel::ForcedLevel(const std::string& level) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (level == hwy::TargetName(target)) {
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

}  // namespace napkin::fast
