// Whether there is a GPU to use, which one, and if not, why. Asked once, when first needed.
//
// The CUDA runtime is linked statically: a program built with CUDA starts on a machine without GPU
// and driver, and says here what is missing.
#pragma once
#include <string>

#include "common/core/machine.h"

namespace napkin::gpu {

bool available();

// GPUs of this machine that can be used; 0 where there is none.
int device_count();

// "NVIDIA H200, 139.8 GiB, driver 13.0", or why_unavailable().
std::string describe();

// The reason, to be put behind "device cuda: "; empty where a GPU is available. For instance "this
// program was built without CUDA", "no NVIDIA driver is installed", "no GPU was found".
std::string why_unavailable();

// Whether the first GPU works in the computer's own memory (a system on one chip), or in memory
// that both reach as their own: then no narrow link lies between them.
bool shares_memory();

// What the lower layers may know of it: set_gpu_probe(gpu::probe).
Gpu probe();

}  // namespace napkin::gpu
