// How a strided copy is cut into slabs, and in which order they follow each other.
#pragma once
#include <array>

#include "common/tensor/cpu/copy/slab_loops.h"
#include "common/tensor/cpu/copy/slabs.h"

namespace napkin::cpu {

struct SlabPlan {
  static constexpr int inner = 4;                         // dimensions of a slab
  static constexpr std::int64_t largest_slab = 16 << 10;  // bytes: half of the nearest cache
  static constexpr std::int64_t brief_slab = 4 << 10;

  SlabKind kind;
  Shape shape;                 // of the copy; the first four dimensions are cut into slabs
  Strides to_step, from_step;  // in bytes
  std::array<std::int64_t, inner> most;  // counts of the largest slab
  Dims order;                            // of dimensions: along which the next slab is found first
};

SlabPlan plan_slabs(const StridedCopy& copy, bool streams);

}  // namespace napkin::cpu
