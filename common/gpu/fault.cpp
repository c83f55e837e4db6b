#include "common/gpu/fault.h"

#include "common/core/error.h"

namespace napkin::gpu {

void throw_fault(FaultRecord& record) {
  if (record.found == 0) return;
  const FaultRecord fault = record;
  record = {};
  check(fault.size != FaultReporter::not_finite,
        "{}: value {} is infinite or NaN in fp32: this format has no code for it (MX formats have: "
        "a scale of NaN)",
        fault.operation, fault.value);
  fail("{}: index {} is not in a dimension of size {} (from 0 to the size - 1)", fault.operation,
       fault.value, fault.size);
}

}  // namespace napkin::gpu
