// The kernel of fault_gpu_test.cpp.
#include "common/gpu/fault.h"
#include "common/gpu/launch.cuh"
#include "common/gpu/stream.h"

namespace napkin::gpu {
namespace {

struct Ask {
  FaultReporter faults;
  NAPKIN_HD void operator()(const Thread& at) const {
    if (at.number() >= 5) faults.report(at.number(), 5);
  }
};

}  // namespace

void ask_for_indices(int count) { launch(Ask{fault_reporter("gather")}, {1, count}, stream()); }

}  // namespace napkin::gpu
