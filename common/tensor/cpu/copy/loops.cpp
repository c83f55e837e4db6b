#include "common/tensor/cpu/copy/loops.h"

#include <cstring>
#include <utility>

#include "common/tensor/cpu/stream.h"

namespace napkin::cpu {
namespace {

// copy(to, from) for every row: for every index of the box's dimensions but the first, in an order
// that reads the source forwards.
template <class Copy>
void every_row(const CopyBox& given, Copy copy) {
  CopyBox b = given;  // which no element that is written can be a part of
  const auto sort = [&b](int d) {
    if (b.count[d + 1] == 1 || b.from_step[d] <= b.from_step[d + 1]) return;
    std::swap(b.count[d], b.count[d + 1]);
    std::swap(b.to_step[d], b.to_step[d + 1]);
    std::swap(b.from_step[d], b.from_step[d + 1]);
  };
  sort(2);
  sort(1);
  for (std::int64_t l = 0; l < b.count[3]; ++l)
    for (std::int64_t k = 0; k < b.count[2]; ++k)
      for (std::int64_t r = 0; r < b.count[1]; ++r)
        copy(b.to + l * b.to_step[3] + k * b.to_step[2] + r * b.to_step[1],
             b.from + l * b.from_step[3] + k * b.from_step[2] + r * b.from_step[1]);
}

// Blocks of a size that the compiler knows; the last one ends where the run ends.
template <std::int64_t block>
void copy_blocks(const CopyBox& b) {
  const std::int64_t last = b.count[0] * b.size - block;
  every_row(b, [last](std::byte* to, const std::byte* from) {
    for (std::int64_t i = 0; i < last; i += block) std::memcpy(to + i, from + i, block);
    std::memcpy(to + last, from + last, block);
  });
}

void copy_runs(const CopyBox& b) {
  const std::int64_t bytes = b.count[0] * b.size;
  if (bytes >= 1024)
    return every_row(b, [bytes](std::byte* to, const std::byte* from) {
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    });
  if (bytes >= 64) return copy_blocks<64>(b);
  if (bytes >= 16) return copy_blocks<16>(b);
  if (bytes >= 4) return copy_blocks<4>(b);
  copy_blocks<1>(b);
}

template <std::size_t size>
void copy_elements(const CopyBox& b) {
  every_row(b, [columns = b.count[0], to_step = b.to_step[0], from_step = b.from_step[0]](
                   std::byte* to, const std::byte* from) {
    for (std::int64_t c = 0; c < columns; ++c)
      std::memcpy(to + c * to_step, from + c * from_step, size);
  });
}

}  // namespace

CopyKind kind_of(const CopyBox& b) {
  if (b.to_step[0] != b.size && b.count[0] > 1) return CopyKind::elements;
  if (b.from_step[0] == b.size || b.count[0] == 1) return CopyKind::runs;
  return b.from_step[1] == b.size ? CopyKind::transposed : CopyKind::elements;
}

void copy_box(CopyKind kind, const CopyBox& box) {
  if (kind == CopyKind::runs) return copy_runs(box);
  if (kind == CopyKind::transposed) return copy_transposed(box);
  switch (box.size) {
    case 1:
      return copy_elements<1>(box);
    case 2:
      return copy_elements<2>(box);
    case 4:
      return copy_elements<4>(box);
    default:
      return copy_elements<8>(box);
  }
}

void stream_runs(const CopyBox& b, std::int64_t bytes) {
  for (std::int64_t l = 0; l < b.count[3]; ++l)
    for (std::int64_t k = 0; k < b.count[2]; ++k)
      stream({b.to + l * b.to_step[3] + k * b.to_step[2],
              b.from + l * b.from_step[3] + k * b.from_step[2], bytes, b.count[1], b.to_step[1],
              b.from_step[1]});
}

}  // namespace napkin::cpu
