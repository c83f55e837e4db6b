// PyTorch as a second process that times the same operations, for the benchmark.
#pragma once
#include <sys/types.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "common/tensor/testing/samples.h"

namespace napkin::samples {

class Peer {
 public:
  // Starts python3, or the interpreter that NAPKIN_PYTHON names, with so many threads.
  explicit Peer(int threads);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  bool answers() const { return to_ != nullptr; }
  // "PyTorch 2.15.0", or why there is none.
  const std::string& describe() const { return description_; }
  // The shortest of a few runs; NaN or infinity where it has no such operation.
  double seconds(std::string_view operation, std::string_view dtype, std::string_view device,
                 Size size);

 private:
  std::string line();

  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  pid_t process_ = 0;
  std::string description_ = "no PyTorch here to compare with";
};

}  // namespace napkin::samples
