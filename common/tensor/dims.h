// A short list of 64-bit numbers, one per dimension: shapes and strides. It holds them itself, so
// that making a view allocates nothing.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "common/core/error.h"

namespace napkin {

inline constexpr int max_rank = 16;

class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<std::int64_t> values)
      : Dims(std::span<const std::int64_t>(values.begin(), values.size())) {}
  explicit Dims(std::span<const std::int64_t> values) {
    if (values.size() > max_rank) [[unlikely]]
      refuse_count(values.size());
    for (const std::int64_t v : values) push_back(v);
  }
  Dims(int count, std::int64_t value) {
    for (int i = 0; i < count; ++i) push_back(value);
  }
  // Copies only the entries in use: a view must cost nanoseconds.
  Dims(const Dims& other) noexcept : rank_(other.rank_) { std::copy_n(other.v_, rank_, v_); }
  Dims& operator=(const Dims& other) noexcept {
    rank_ = other.rank_;
    std::copy_n(other.v_, rank_, v_);
    return *this;
  }

  int size() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  // Refuses what is not in [0, size() - 1].
  std::int64_t operator[](int i) const { return v_[checked(i)]; }
  std::int64_t& operator[](int i) { return v_[checked(i)]; }
  const std::int64_t* begin() const { return v_; }
  const std::int64_t* end() const { return v_ + rank_; }
  std::int64_t* begin() { return v_; }
  std::int64_t* end() { return v_ + rank_; }

  void push_back(std::int64_t value) {
    if (rank_ == max_rank) [[unlikely]]
      refuse_rank(value);
    v_[rank_++] = value;
  }
  void insert(int at, std::int64_t value) {
    push_back(value);
    std::rotate(v_ + at, v_ + rank_ - 1, v_ + rank_);
  }
  void erase(int at) {
    std::copy(v_ + at + 1, v_ + rank_, v_ + at);
    --rank_;
  }
  friend bool operator==(const Dims& a, const Dims& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  int checked(int i) const {
    if (static_cast<unsigned>(i) >= static_cast<unsigned>(rank_)) [[unlikely]]
      refuse_index(i);
    return i;
  }
  [[noreturn]] void refuse_index(int i) const;
  [[noreturn]] void refuse_rank(std::int64_t value) const;
  [[noreturn]] static void refuse_count(std::size_t dimensions);

  int rank_ = 0;
  std::int64_t v_[max_rank];
};

using Shape = Dims;
using Strides = Dims;

// "[2, 3, 4]", as PyTorch's messages write shapes.
std::string to_string(const Dims& dims);

}  // namespace napkin

// Shapes in sentences: check(ok, "no such view of {}", shape) writes nothing while all is well.
template <>
struct fmt::formatter<napkin::Dims> {
  constexpr auto parse(fmt::format_parse_context& specification) { return specification.begin(); }
  fmt::format_context::iterator format(const napkin::Dims& dims, fmt::format_context& out) const;
};
