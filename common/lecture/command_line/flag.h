// Puts the flag and what was given before the sentence of a refusal:
//   01_tensors: --transpose 0,3: the tensor has 3 dimensions (0 to 2), so there is no dimension 3
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/core/error.h"
#include "common/core/joined.h"
#include "common/lecture/command_line/inputs.h"

namespace napkin::lecture {

// The value of step(); what it refuses with napkin::Error is thrown again with the flag in front.
template <class Step>
auto with_flag(std::string_view flag, std::string_view given, Step&& step) {
  try {
    return step();
  } catch (const Error& refused) {
    throw Error(fmt::format("{} {}: {}", flag, as_typed(given), refused.what()), refused.where());
  }
}

template <class Step>
auto with_flag(std::string_view flag, const std::vector<std::int64_t>& given, Step&& step) {
  return with_flag(flag, joined(given, ","), step);
}

}  // namespace napkin::lecture
