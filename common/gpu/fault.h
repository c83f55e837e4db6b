// Faults: what a kernel met that it could not do, told to the program later.
//
// The GPU works while the program goes on, so a bad index cannot be refused where it is given. The
// kernel skips it and reports it; the next call that waits for the GPU (synchronize, a copy to the
// computer) throws the sentence, once. Of several faults the first one reported is kept.
//
//   struct Gather { FaultReporter faults; ...              // gpu::fault_reporter("gather")
//     if (index < 0 || index >= size) return faults.report(index, size);
#pragma once
#include <cstdint>

#include "common/core/config.h"

namespace napkin::gpu {

struct FaultRecord {
  int found = 0;                    // 1 once a thread has taken the record
  const char* operation = nullptr;  // in the program's memory: only the CPU follows it
  std::int64_t value = 0, size = 0;
};

// What a kernel holds.
struct FaultReporter {
  FaultRecord* record = nullptr;
  const char* operation = nullptr;

  // An index `value` into a dimension of that size.
  NAPKIN_HD void report(std::int64_t value, std::int64_t size) const {
#ifdef __CUDA_ARCH__
    if (atomicCAS(&record->found, 0, 1) != 0) return;
#else
    if (record->found != 0) return;
    record->found = 1;
#endif
    record->operation = operation;
    record->value = value;
    record->size = size;
  }
  // An element at that position that is infinite or NaN where it must not be.
  NAPKIN_HD void report_not_finite(std::int64_t position) const { report(position, not_finite); }

  static constexpr std::int64_t not_finite = -1;  // in place of a size
};

// Reports into the GPU's own record. The operation is a string literal.
FaultReporter fault_reporter(const char* operation);

// Throws the fault that a record holds, and empties it.
void throw_fault(FaultRecord& record);

// throw_fault of the GPU's record. For calls that have just waited for the stream.
void check_faults();

}  // namespace napkin::gpu
