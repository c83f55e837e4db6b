// Every operation on tensors: which dtypes it takes on which device, and how exact its results are.
//
// This table is the only place that says so. Operations ask it before they start (check_defined),
// so that an empty cell is a sentence; tests try every cell, and docs/operations.md is printed from
// it. On meta an operation takes what it takes on some other device.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "common/core/device.h"
#include "common/numeric/dtype.h"
#include "common/tensor/rules/op.h"

namespace napkin {

// A set of dtypes.
class DTypes {
 public:
  constexpr DTypes() = default;
  constexpr DTypes(std::initializer_list<DType> dtypes) {
    for (const DType d : dtypes) bits_ |= bit(d);
  }
  constexpr bool has(DType d) const { return (bits_ & bit(d)) != 0; }
  constexpr DTypes operator|(DTypes other) const { return DTypes(bits_ | other.bits_); }
  constexpr bool operator==(const DTypes&) const = default;

 private:
  constexpr explicit DTypes(unsigned bits) : bits_(bits) {}
  static constexpr unsigned bit(DType d) { return 1U << static_cast<unsigned>(d); }
  unsigned bits_ = 0;
};

struct Operation {
  Op op;
  std::string_view name;
  std::string_view call;     // how it is written in C++
  DTypes cpu, cuda;          // of the operands, after promotion where they are promoted
  std::string_view result;   // the result's dtype: "same", "bool", "int64" ...
  std::string_view against;  // how exact: "PyTorch's bits", "1 ulp" ...
};

std::span<const Operation> operations();
const Operation& operation(Op op);
const char* name(Op op);

// Whether the operation takes that dtype on that device.
bool is_defined(Op op, DType dtype, Device device);

// Refuses what the table does not have, naming the operation, the dtype and those that it takes.
void check_defined(Op op, DType dtype, Device device);

}  // namespace napkin
