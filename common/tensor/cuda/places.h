// Where in memory the elements of several tensors stand, worked out by each thread of a kernel from
// the number of its element. Plain C++ that the host runs, too.
#pragma once
#include <bit>
#include <cstdint>
#include <cstddef>
#include <limits>

#include "common/core/config.h"

namespace napkin::cuda {

// Division by a number that is known before the launch, as a multiplication and a shift: a GPU
// takes some 20 instructions for a 32-bit division and 100 for a 64-bit one. Granlund & Montgomery
// 1994, figure 4.1, for numerators below 2^31.
class Divider {
 public:
  Divider() = default;
  explicit Divider(std::uint32_t divisor)
      : shift_(static_cast<int>(std::bit_width(divisor - 1))),
        factor_(static_cast<std::uint32_t>(
            ((std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift_) - divisor)) / divisor + 1)) {}

  NAPKIN_HD std::uint32_t operator()(std::uint32_t n) const {
    const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * factor_) >> 32);
    return (high + n) >> shift_;
  }

 private:
  int shift_ = 0;
  std::uint32_t factor_ = 1;
};

inline constexpr int most_dimensions = 16;

// The largest count of items for which Divider will do.
inline constexpr std::int64_t narrow_items = std::numeric_limits<std::int32_t>::max();

template <int tensors>
struct Places {
  int rank = 1;
  bool narrow = true;  // fewer than 2^31 items
  std::int64_t sizes[most_dimensions] = {};
  Divider dividers[most_dimensions];                  // of the sizes, where narrow
  std::int64_t steps[tensors][most_dimensions] = {};  // in bytes

  // Sets the place of an item, in bytes from each tensor's first element.
  NAPKIN_HD void find(std::int64_t item, std::int64_t (&place)[tensors]) const {
    for (int k = 0; k < tensors; ++k) place[k] = 0;
    std::int64_t left = item;
    for (int d = 0; d + 1 < rank; ++d) {
      const std::int64_t next =
          narrow ? static_cast<std::int64_t>(dividers[d](static_cast<std::uint32_t>(left)))
                 : left / sizes[d];
      const std::int64_t index = left - next * sizes[d];
      for (int k = 0; k < tensors; ++k) place[k] += index * steps[k][d];
      left = next;
    }
    for (int k = 0; k < tensors; ++k) place[k] += left * steps[k][rank - 1];
  }

  std::int64_t items() const {
    std::int64_t count = 1;
    for (int d = 0; d < rank; ++d) count *= sizes[d];
    return count;
  }
};

}  // namespace napkin::cuda
