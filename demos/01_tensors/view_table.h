// What operations on a tensor give, and what they cost (lecture 2.3).
#pragma once
#include <cstdint>
#include <functional>

#include "common/lecture/page/table.h"
#include "common/tensor/tensor.h"

namespace napkin {

struct Seen {
  bool shares;         // the storage of the tensor it began with
  std::int64_t taken;  // bytes of new memory
};

class ViewTable {
 public:
  explicit ViewTable(Tensor x);
  // Runs the operation and fills its row with what was seen, not with what we expect.
  Seen row(const char* code, const std::function<Tensor()>& operation);
  void print() const { table_.print(); }

 private:
  Tensor x_;
  lecture::Table table_;
};

}  // namespace napkin
