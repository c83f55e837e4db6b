#include "common/gpu/timer.h"

#include "common/gpu/check.h"

namespace napkin::gpu {

Timer::Timer() {
  CUstream_st* const in = stream();
  check(cudaEventCreate(&start_));
  check(cudaEventCreate(&stop_));
  check(cudaEventRecord(start_, in));
}

Timer::~Timer() {
  for (CUevent_st* event : {start_, stop_})
    if (event != nullptr && cudaEventDestroy(event) != cudaSuccess) cudaGetLastError();
}

double Timer::seconds() {
  check(cudaEventRecord(stop_, stream()));
  check(cudaEventSynchronize(stop_));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start_, stop_));
  return static_cast<double>(milliseconds) / 1e3;
}

}  // namespace napkin::gpu
