#include "common/gpu/stream.h"

#include <atomic>

#include "common/core/error.h"
#include "common/gpu/check.h"
#include "common/gpu/fault.h"
#include "common/gpu/in_use.h"
#include "common/gpu/runtime.h"

namespace napkin::gpu {
namespace {

std::atomic<bool> begun = false;

cudaStream_t make_stream() {
  if (!available()) fail("device cuda: {}", why_unavailable());
  cudaStream_t made = nullptr;
  check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  begun = true;
  return made;
}

}  // namespace

// Never destroyed: static tensors may give memory back after everything else has ended.
CUstream_st* stream() {
  static const cudaStream_t instance = make_stream();
  return instance;
}

bool in_use() { return begun; }

void synchronize() {
  if (!in_use()) return;
  check(cudaStreamSynchronize(stream()));
  check_faults();
}

}  // namespace napkin::gpu
