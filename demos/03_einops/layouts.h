// What einops lines did to the memory: shape, strides, view or copy, bytes.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/einops/einops.h"
#include "common/lecture/page/table.h"
#include "common/tensor/tensor.h"

namespace napkin {

// "(2, 3, 4)", and for --json [2, 3, 4].
std::string tuple(const Dims& dims);
std::vector<std::int64_t> listed(const Dims& dims);

class LayoutTable {
 public:
  LayoutTable();
  // Runs the operation and adds a row with what was seen, not with what is expected.
  Tensor row(std::string_view pattern, const Tensor& source,
             const std::function<Tensor()>& operation);
  void print() const { table_.print(); }

 private:
  lecture::Table table_;
};

class ReduceTable {
 public:
  ReduceTable();
  // Reduces and adds a row with the first numbers; the remark is translated.
  Tensor row(const Tensor& x, std::string_view pattern, std::string_view how,
             std::string_view remark, const std::vector<AxisSize>& sizes = {});
  void print() const { table_.print(); }

 private:
  lecture::Table table_;
};

}  // namespace napkin
