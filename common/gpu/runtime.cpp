#include "common/gpu/runtime.h"

#include "common/gpu/findings.h"

namespace napkin::gpu {
namespace {

const Findings& findings() {
  static const Findings found = look();
  return found;
}

}  // namespace

bool available() { return device_count() > 0; }

int device_count() { return findings().devices; }

std::string describe() { return available() ? findings().describe : findings().obstacle; }

std::string why_unavailable() { return findings().obstacle; }

bool shares_memory() { return findings().shares_memory; }

Gpu probe() { return {available(), available() ? findings().name : findings().obstacle}; }

}  // namespace napkin::gpu
