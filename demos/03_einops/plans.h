// How an einsum is worked out: products, FLOPs and bytes.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "common/einops/einsum.h"
#include "common/lecture/table.h"

namespace napkin {

// What an einsum really did: the operations that it ran, of which so many were matrix products.
struct Ran {
  Tensor result;
  int products = 0, operations = 0;
};
Ran run_einsum(std::string_view pattern, const std::vector<Tensor>& operands);

class PlanTable {
 public:
  PlanTable();
  // Runs the einsum and adds a row with its plan's work.
  Tensor row(std::string_view pattern, const std::vector<Tensor>& operands);
  void print() const { table_.print(); }

 private:
  lecture::Table table_;
};

// The steps of a plan, its work and its warnings.
void print_plan(const EinsumPlan& plan);
inline void print_plan(std::string_view pattern, const std::vector<Shape>& shapes) {
  print_plan(explain_einsum(pattern, shapes));
}

}  // namespace napkin
