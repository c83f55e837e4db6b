#include "common/core/units.h"
#include "common/gpu/check.h"
#include "common/gpu/findings.h"

#include <fmt/format.h>

#include "common/core/error.h"

namespace napkin::gpu {
namespace {

__global__ void nothing() {}

// 13000 -> "13.0", as CUDA numbers its versions.
std::string version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

// What keeps the GPUs from being used, as the first calls of the runtime see it.
std::string obstacle(cudaError_t status) {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  switch (status) {
    case cudaErrorInsufficientDriver:
      if (driver == 0) return "no NVIDIA driver is installed";
      return fmt::format("the NVIDIA driver knows CUDA up to {}, this program needs {}",
                         version(driver), version(runtime));
    case cudaErrorNoDevice:
      return "no GPU was found";
    case cudaErrorNoKernelImageForDevice:
      return "the GPU is older than those that this program was built for";
    default:
      return fmt::format("CUDA does not start: {}", cudaGetErrorString(status));
  }
}

cudaError_t try_out(int& devices) {
  if (const cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess) return status;
  cudaFuncAttributes unused{};
  return cudaFuncGetAttributes(&unused, nothing);  // is there code for this GPU?
}

}  // namespace

void check(cudaError_t status, std::source_location where) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // the next call starts clean
  throw Error(fmt::format("CUDA: {} ({})", cudaGetErrorString(status), cudaGetErrorName(status)),
              where);
}

Findings look() {
  int devices = 0, driver = 0;
  const cudaError_t status = try_out(devices);
  if (status != cudaSuccess) {
    cudaGetLastError();
    return {0, "", "", obstacle(status), false};
  }
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  if (device.memoryPoolsSupported == 0)  // some shared (virtual) GPUs
    return {0, "", "", fmt::format("{} gives no memory pools to this program", device.name), false};
  check(cudaDriverGetVersion(&driver));
  return {devices, device.name,
          fmt::format("{}, {}, driver for CUDA {}", device.name,
                      binary_bytes(static_cast<double>(device.totalGlobalMem)), version(driver)),
          "", device.integrated != 0 || device.pageableMemoryAccessUsesHostPageTables != 0};
}

}  // namespace napkin::gpu
