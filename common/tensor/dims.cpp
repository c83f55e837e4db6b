#include "common/tensor/dims.h"

#include "common/core/joined.h"

#include <algorithm>

namespace napkin {

std::string to_string(const Dims& dims) { return fmt::format("[{}]", joined(dims, ", ")); }

void Dims::refuse_index(int i) const {
  fail("number {} of {}: there are {}, counted from 0", i, *this, rank_);
}

void Dims::refuse_rank(std::int64_t value) const {
  fail("{} after {}: a tensor has at most {} dimensions", value, *this, max_rank);
}

void Dims::refuse_count(std::size_t dimensions) {
  fail("{} dimensions; a tensor has at most {} dimensions", dimensions, max_rank);
}

}  // namespace napkin

fmt::format_context::iterator fmt::formatter<napkin::Dims>::format(const napkin::Dims& dims,
                                                                   fmt::format_context& out) const {
  const std::string text = napkin::to_string(dims);
  return std::copy(text.begin(), text.end(), out.out());
}
