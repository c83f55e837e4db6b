// The GPU's record of faults: memory of the computer that kernels can write, so that the program
// reads it without a copy once it has waited.
#include <atomic>
#include <new>

#include "common/gpu/check.h"
#include "common/gpu/fault.h"
#include "common/gpu/stream.h"

namespace napkin::gpu {
namespace {

struct Record {
  FaultRecord* here;
  FaultRecord* on_gpu;  // the same under the GPU's address
};

std::atomic<FaultRecord*> made = nullptr;

Record make_record() {
  stream();  // refuses where there is no GPU
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, sizeof(FaultRecord), cudaHostAllocMapped));
  void* on_gpu = nullptr;
  check(cudaHostGetDevicePointer(&on_gpu, memory, 0));
  made = new (memory) FaultRecord;
  return {made, static_cast<FaultRecord*>(on_gpu)};
}

}  // namespace

FaultReporter fault_reporter(const char* operation) {
  static const Record record = make_record();
  return {record.on_gpu, operation};
}

void check_faults() {
  if (made != nullptr) throw_fault(*made);
}

}  // namespace napkin::gpu
