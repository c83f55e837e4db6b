// Prints the table of operations (operations/table.h) for docs/operations.md.
#include <fmt/core.h>

#include "common/tensor/operations/table.h"

using namespace napkin;

static const char* cell(const Operation& o, DType dtype) {
  const bool cpu = o.cpu.has(dtype), cuda = o.cuda.has(dtype);
  return cpu && cuda ? "both" : cpu ? "cpu" : cuda ? "cuda" : "-";
}

int main() {
  fmt::print("{:<38}", "");
  for (const DType dtype : all_dtypes) fmt::print("{:<7}", name(dtype));
  fmt::print("{:<17}{}\n", "result", "exact to");
  for (const Operation& o : operations()) {
    fmt::print("{:<38}", o.call);
    for (const DType dtype : all_dtypes) fmt::print("{:<7}", cell(o, dtype));
    fmt::print("{:<17}{}\n", o.result, o.against);
  }
}
