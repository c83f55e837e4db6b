// How a strided copy is cut into boxes, and in which order they follow each other.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/tensor/cpu/copy/loops.h"
#include "common/tensor/cpu/walk.h"

namespace napkin::cpu {

// A copy of elements of `size` bytes along a walk over the destination and the source.
struct StridedCopy {
  Walk walk;
  std::byte* to;
  const std::byte* from;
  std::int64_t size;
};

// Makes elements that stay neighbours one larger element, if there is such a one.
void enlarge_elements(StridedCopy& copy);

struct CopyPlan {
  static constexpr int inner = 4;                        // dimensions of a box
  static constexpr std::int64_t usual_bytes = 16 << 10;  // of a box: half of the nearest cache

  CopyKind kind;
  // How the destination is written: through the caches, or past them, from a stage or directly.
  bool streams, directly;
  std::int64_t size;           // of an element
  Shape shape;                 // of the copy; the first four dimensions are cut into boxes
  Strides to_step, from_step;  // in bytes
  std::array<std::int64_t, inner> most;  // counts of the largest box
  Dims order;                            // of dimensions: along which the next box is found first

  std::int64_t boxes() const;
  // The box of that number; to and from as those of the copy.
  CopyBox box_at(std::int64_t number, std::byte* to, const std::byte* from) const;
};

// `streams`: past the caches.
CopyPlan plan_copy(const StridedCopy& copy, bool streams);

}  // namespace napkin::cpu
