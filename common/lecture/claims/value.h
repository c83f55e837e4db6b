// A value that a claim or a result may have: a bool, a number, a text, or a list of those.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/core/error.h"

namespace napkin::lecture {

// Anything with begin() and end() over integers (and not a text): a shape, strides, a vector.
template <class List>
concept IntegerList = !std::convertible_to<List, std::string_view> && requires(const List& list) {
  { *list.begin() } -> std::convertible_to<std::int64_t>;
  requires std::integral<std::remove_cvref_t<decltype(*list.begin())>>;
  list.end();
};

class Value {
 public:
  using Holder = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                              std::vector<double>, std::vector<std::string>>;
  Value(bool v) : holder_(v) {}
  Value(std::integral auto v) : holder_(static_cast<std::int64_t>(v)) {
    check(std::in_range<std::int64_t>(v), "the value {} is past 2^63 - 1", v);
  }
  Value(std::floating_point auto v) : holder_(static_cast<double>(v)) {}
  Value(const char* v) : holder_(std::string(v)) {}
  Value(std::string v) : holder_(std::move(v)) {}
  Value(std::string_view v) : holder_(std::string(v)) {}
  Value(std::vector<double> v) : holder_(std::move(v)) {}
  Value(std::vector<std::string> v) : holder_(std::move(v)) {}
  Value(const IntegerList auto& v) : holder_(std::vector<std::int64_t>(v.begin(), v.end())) {}
  const Holder& holder() const { return holder_; }
  friend bool operator==(const Value&, const Value&) = default;

 private:
  Holder holder_;
};

}  // namespace napkin::lecture
