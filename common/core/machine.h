// The machine that a number was measured on: its processor, and its GPU where there is one.
#pragma once
#include <functional>
#include <string>

namespace napkin {

struct Machine {
  std::string processor;     // "AMD EPYC 9654", "Arm Neoverse N1", or the architecture where the
                             // system names none
  int cores = 1;             // logical processors that this process may run on
  std::string instructions;  // the widest that run: "AVX-512", "AVX2", "SSE4", "NEON", else empty
};
const Machine& machine();

// Logical processors that this process may run on, 1 at least; cheaper than all of machine().
int allowed_processors();

// A GPU as far as the lower layers need to know of it.
struct Gpu {
  bool usable = false;
  std::string name;  // "NVIDIA H200", or why there is none: "no GPU"
};

// The GPU of this machine; asked once, when first needed. "no GPU" until set_gpu_probe was called.
const Gpu& this_gpu();

// How to find out: programs that link gpu/ pass the runtime's function, tests their own.
void set_gpu_probe(std::function<Gpu()> probe);

}  // namespace napkin
