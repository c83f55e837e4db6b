// What was found out about the GPUs of this machine: by runtime.cu with CUDA, by none.cpp
// without.
#pragma once
#include <string>

namespace napkin::gpu {

struct Findings {
  int devices = 0;
  std::string name;            // of the first one: "NVIDIA H200"
  std::string describe;        // with memory and driver
  std::string obstacle;        // why none can be used
  bool shares_memory = false;  // with the computer
};

Findings look();

}  // namespace napkin::gpu
