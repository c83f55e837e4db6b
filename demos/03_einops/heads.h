// Splitting a width into attention heads, the right way and the wrong one (lecture 4.1).
#pragma once
#include <cstdint>
#include <string_view>

#include "common/lecture/page/table.h"
#include "common/tensor/tensor.h"

namespace napkin {

struct HeadSizes {
  std::int64_t batch, seq, heads, dim;
  std::int64_t width() const { return heads * dim; }
};

// The positions 0, 1, ... of a source (seq, heads x dim) of one example, token by token.
void draw_source(const HeadSizes& one);
// For each piece of the results (1, heads, seq, dim), which token and head it was in the source.
// Both hold positions of that source.
void draw_pieces(const HeadSizes& one, const Tensor& wrong, const Tensor& right);

// What to see where a wrong split mixes things up; another sentence where both are the same.
void what_to_see_of_splits(const Tensor& wrong, const Tensor& right, std::string_view mixed_up);

// How many elements differ.
std::int64_t count_different(const Tensor& a, const Tensor& b);
double largest_difference(const Tensor& a, const Tensor& b);

// softmax(q k^T / sqrt(d)) of (b h s d), then times v.
Tensor attention_weights(const Tensor& q, const Tensor& k);
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v);
// The same of (b, s, h x d) by loops over indices, in FP64 and without any change of shape.
Tensor attention_by_loops(const HeadSizes& sizes, const Tensor& q, const Tensor& k,
                          const Tensor& v);

// Results of attention beside the right one.
class AttentionTable {
 public:
  explicit AttentionTable(Tensor truth);
  void row(std::string_view what, const Tensor& weights, const Tensor& result);
  void print() const { table_.print(); }

 private:
  Tensor truth_;
  lecture::Table table_;
};

}  // namespace napkin
