// How an einsum is worked out: products, FLOPs and bytes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "common/einops/einsum.h"
#include "common/einops/explain_einsum.h"
#include "common/lecture/page/table.h"

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

// Element (0, 0) of the product of x (m, n) and y (n, p) worked out, n > 0: "1 x 2 + 3 x (-1) =
// -1"; of a long sum the first terms and the last one.
void print_element_of_product(const Tensor& x, const Tensor& y, const Tensor& product);
// Row 0 of the outer product of u and v, up to its first eight numbers.
void print_row_of_outer(const Tensor& u, const Tensor& v, const Tensor& outer);

// "200,000"; from 10^15 on three digits: "1.2e15".
std::string counted(double n);

// The steps of a plan, its work and its warnings.
void print_plan(const EinsumPlan& plan);
// The same under a line with the pattern and the shapes.
void print_plan(std::string_view pattern, const std::vector<Shape>& shapes);

// The plan of a product of three matrices a x b, b x c and c x d, and the work from left to right.
void print_plan_of_chain(const std::vector<std::int64_t>& sizes);

// Their sentences, for --json.
template <class Said>
std::vector<std::string> sentences(const std::vector<Said>& said) {
  std::vector<std::string> all;
  for (const Said& one : said) all.push_back(one.sentence());
  return all;
}

}  // namespace napkin
