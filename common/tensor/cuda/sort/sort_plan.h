// Sorting by an `Engine` that starts kernels and sorts pairs: the GPU (sort_engine.cuh), or, for
// tests, the host.
#pragma once
#include <bit>

#include "common/tensor/cuda/copy/copy_plan.h"
#include "common/tensor/cuda/sort/sort_kernels.h"
#include "common/tensor/rules/sorted.h"

namespace napkin::cuda {

inline SortedLines sorted_lines(const Sorted& to, const Tensor& x, int dim) {
  const Tensor firsts[] = {x.select(dim, 0), to.values.select(dim, 0), to.indices.select(dim, 0)};
  const Layout* layouts[] = {&firsts[0].layout(), &firsts[1].layout(), &firsts[2].layout()};
  const std::int64_t size = size_of(x.dtype());
  SortedLines s{places_of<3>(plan_walk(layouts), {size, size, 8}),
                0,
                x.size(dim),
                to.values.size(dim),
                {x.stride(dim) * size, to.values.stride(dim) * size, to.indices.stride(dim) * 8},
                elements_of(x),
                elements_of(to.values),
                elements_of(to.indices),
                x.dtype(),
                static_cast<int>(size)};
  s.line_count = s.lines.items();
  return s;
}

template <class Engine>
void sort_with(Engine&& engine, const Sorted& to, const Tensor& x, int dim, bool descending) {
  check(x.numel() <= std::int64_t{1} << 31,
        "a tensor of {} elements is sorted; on the GPU 2^31 are allowed", x.numel());
  const SortedLines s = sorted_lines(to, x, dim);
  const std::int64_t count = s.items();
  const int key_bits = 8 * s.element_bytes;
  const int line_bits =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(s.line_count - 1)));
  auto pairs = engine.pairs(count);
  engine.launch(MakeKeys{s, descending, pairs.keys(), pairs.values()}, gpu::grid_for(count));
  engine.sort(pairs, key_bits < 64 ? key_bits + line_bits : key_bits);
  if (key_bits == 64 && s.line_count > 1) {
    engine.launch(MakeLineKeys{count, s.size, pairs.values(), pairs.keys()}, gpu::grid_for(count));
    engine.sort(pairs, line_bits);
  }
  engine.launch(WriteSorted{s, pairs.values()}, gpu::grid_for(s.line_count * s.k));
}

}  // namespace napkin::cuda
