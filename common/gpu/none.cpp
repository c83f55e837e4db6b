// A program built without CUDA has no GPU: it says so, nothing can be given to one, and there is
// nothing to wait for.
#include "common/core/error.h"
#include "common/gpu/copy.h"
#include "common/gpu/fault.h"
#include "common/gpu/findings.h"
#include "common/gpu/memory.h"
#include "common/gpu/runtime.h"
#include "common/gpu/stream.h"
#include "common/gpu/timer.h"

namespace napkin::gpu {
namespace {

[[noreturn]] void refuse() { fail("device cuda: {}", why_unavailable()); }

}  // namespace

Findings look() { return {0, "", "", "this program was built without CUDA", false}; }

CUstream_st* stream() { refuse(); }
void synchronize() {}

std::byte* take_memory(std::int64_t) { refuse(); }
void give_memory(std::byte*, std::int64_t) noexcept {}
void release_cached_memory() {}
MemoryUse memory_use() { return {}; }

void copy_on_gpu(void*, const void*, std::int64_t) { refuse(); }
void fill_bytes(void*, int, std::int64_t) { refuse(); }
void copy_to_gpu(void*, const void*, std::int64_t) { refuse(); }
void copy_to_host(void*, const void*, std::int64_t) { refuse(); }
PinnedMemory::PinnedMemory(std::int64_t bytes) : bytes_(bytes) { refuse(); }
PinnedMemory::~PinnedMemory() = default;
void PinnedMemory::copy_to(void*, std::int64_t) const { refuse(); }
void PinnedMemory::copy_from(const void*, std::int64_t) { refuse(); }

FaultReporter fault_reporter(const char*) { refuse(); }
void check_faults() {}

Timer::Timer() { refuse(); }
Timer::~Timer() = default;
double Timer::seconds() {
  static_cast<void>(start_ == stop_);
  refuse();
}

}  // namespace napkin::gpu
