// Which kernels a copy or a fill takes. `Engine` starts them: on the GPU (copy.cu), or, for tests,
// on the host.
#pragma once
#include <cstring>

#include "common/tensor/cuda/copy/copy_kernels.h"
#include "common/tensor/cuda/plan.h"
#include "common/tensor/tensor.h"

namespace napkin::cuda {

inline std::byte* elements_of(const Tensor& x) { return static_cast<std::byte*>(x.raw_data()); }

inline bool is_aligned(const void* at, std::int64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % static_cast<std::uintptr_t>(bytes) == 0;
}

// Whether the walk is one row in which both tensors are unbroken.
inline bool is_one_run(const Walk& walk, int tensors) {
  for (int k = 0; k < tensors; ++k)
    if (walk.shape[0] > 1 && walk.strides[static_cast<std::size_t>(k)][0] != 1) return false;
  return walk.shape.size() == 2 && walk.shape[1] == 1;
}

// The largest number of neighbouring elements that may be moved as one everywhere in the walk: 16
// bytes at most.
inline std::int64_t elements_moved_as_one(const Walk& walk, const void* to, const void* from,
                                          std::int64_t size) {
  std::int64_t packet = packet_bytes / size;
  const auto fits = [&](std::int64_t elements) {
    bool good = walk.shape[0] % elements == 0;
    for (std::size_t k = 0; k < 2; ++k) {
      good = good && walk.strides[k][0] == 1 && is_aligned(k == 0 ? to : from, elements * size);
      for (int d = 1; d < walk.shape.size(); ++d) good = good && walk.strides[k][d] % elements == 0;
    }
    return good;
  };
  while (packet > 1 && !fits(packet)) packet /= 2;
  return packet;
}

template <class Element, class Engine>
void move_as(Engine&& engine, const Walk& walk, std::byte* to, const std::byte* from,
             std::int64_t size, Element repeated = {}) {
  const std::int64_t bytes = sizeof(Element);
  Move<Element> kernel{places_of<2>(walk, {size, size}, bytes / size), 0, to, from, repeated};
  kernel.count = kernel.places.items();
  engine.launch(kernel, gpu::grid_for(kernel.count));
}

template <class Engine>
void move(Engine&& engine, const Walk& walk, std::byte* to, const std::byte* from,
          std::int64_t size) {
  switch (size * elements_moved_as_one(walk, to, from, size)) {
    case 1:
      return move_as<std::uint8_t>(engine, walk, to, from, size);
    case 2:
      return move_as<std::uint16_t>(engine, walk, to, from, size);
    case 4:
      return move_as<std::uint32_t>(engine, walk, to, from, size);
    case 8:
      return move_as<std::uint64_t>(engine, walk, to, from, size);
    default:
      return move_as<Block>(engine, walk, to, from, size);
  }
}

// Whether the source runs fastest along the walk's second dimension, and both are long enough for
// tiles to pay.
inline bool is_transposed(const Walk& walk) {
  constexpr std::int64_t shortest = 8;
  return walk.strides[0][0] == 1 && walk.strides[1][0] != 1 && walk.strides[1][1] == 1 &&
         walk.shape[0] >= shortest && walk.shape[1] >= shortest;
}

template <class Element, class Engine>
void transpose_as(Engine&& engine, const Walk& walk, std::byte* to, const std::byte* from) {
  const std::int64_t size = sizeof(Element);
  Transpose<Element> kernel{to,
                            from,
                            walk.shape[1],
                            walk.shape[0],
                            walk.strides[0][1] * size,
                            walk.strides[1][0] * size,
                            places_of<2>(walk, {size, size}, 1, 2),
                            {},
                            {}};
  kernel.prepare();
  const std::int64_t threads = Transpose<Element>::threads;
  engine.launch(kernel, gpu::grid_for(kernel.blocks() * threads, 1, threads));
}

template <class Engine>
void transpose(Engine&& engine, const Walk& walk, std::byte* to, const std::byte* from,
               std::int64_t size) {
  switch (size) {
    case 1:
      return transpose_as<std::uint8_t>(engine, walk, to, from);
    case 2:
      return transpose_as<std::uint16_t>(engine, walk, to, from);
    case 4:
      return transpose_as<std::uint32_t>(engine, walk, to, from);
    default:
      return transpose_as<std::uint64_t>(engine, walk, to, from);
  }
}

// For runs of FP32 and small floats that begin where packets may.
inline bool takes_packets(const Tensor& x) {
  return is_computed_in<float>(x.dtype()) && is_aligned(x.raw_data(), 4 * size_of(x.dtype()));
}

template <class Engine>
void convert_run(Engine&& engine, const Tensor& to, const Tensor& from, Overflow overflow) {
  visit_computed<float>(to.dtype(), [&](auto to_tag) {
    visit_computed<float>(from.dtype(), [&](auto from_tag) {
      using To = typename decltype(to_tag)::Type;
      using From = typename decltype(from_tag)::Type;
      using Kernel = ConvertPackets<To, From>;
      if constexpr (!std::is_same_v<To, From>)
        engine.launch(
            Kernel{reinterpret_cast<To*>(elements_of(to)),
                   reinterpret_cast<const From*>(elements_of(from)), to.numel(), overflow},
            gpu::grid_for(to.numel(), Kernel::width));
    });
  });
}

template <class Compute, class Engine>
void convert_any(Engine&& engine, const Walk& walk, const Tensor& to, const Tensor& from,
                 Overflow overflow) {
  Convert<Compute> kernel{places_of<2>(walk, {size_of(to.dtype()), size_of(from.dtype())}),
                          to.numel(),
                          elements_of(to),
                          elements_of(from),
                          to.dtype(),
                          from.dtype(),
                          overflow};
  engine.launch(kernel, gpu::grid_for(kernel.count));
}

template <class Engine>
void copy_with(Engine&& engine, const Tensor& to, const Tensor& from, Overflow overflow) {
  const Layout* layouts[] = {&to.layout(), &from.layout()};
  const Walk walk = plan_walk(layouts);
  const bool one_run = is_one_run(walk, 2);
  if (to.dtype() == from.dtype()) {
    const std::int64_t size = size_of(to.dtype());
    if (one_run) return engine.copy(elements_of(to), elements_of(from), to.bytes());
    if (is_transposed(walk))
      return transpose(engine, walk, elements_of(to), elements_of(from), size);
    return move(engine, walk, elements_of(to), elements_of(from), size);
  }
  if (one_run && takes_packets(to) && takes_packets(from))
    return convert_run(engine, to, from, overflow);
  if (is_computed_in<double>(from.dtype()))
    return convert_any<double>(engine, walk, to, from, overflow);
  if (is_computed_in<float>(from.dtype()))
    return convert_any<float>(engine, walk, to, from, overflow);
  convert_any<std::int64_t>(engine, walk, to, from, overflow);
}

template <class Engine>
void copy_with(Engine&& engine, const Tensor& to, const Tensor& from) {
  copy_with(engine, to, from, usual_overflow(to.dtype()));
}

// The bytes of `element`, again and again.
inline Block repeated_block(const std::byte* element, std::int64_t size) {
  Block block;
  for (std::int64_t b = 0; b < packet_bytes; b += size)
    std::memcpy(reinterpret_cast<std::byte*>(&block) + b, element, static_cast<std::size_t>(size));
  return block;
}

// `element` in x's dtype.
template <class Engine>
void fill_with(Engine&& engine, const Tensor& x, const std::byte* element) {
  const Layout* layouts[] = {&x.layout(), &x.layout()};
  const Walk walk = plan_walk(layouts);
  const std::int64_t size = size_of(x.dtype());
  const Block block = repeated_block(element, size);
  std::byte* to = elements_of(x);
  if (is_one_run(walk, 1)) {
    const bool one_byte =
        std::all_of(element, element + size, [&](std::byte b) { return b == element[0]; });
    if (one_byte) return engine.fill_bytes(to, std::to_integer<int>(element[0]), x.bytes());
    const Fill kernel{to, x.bytes(), block, static_cast<int>(size)};
    return engine.launch(kernel, gpu::grid_for(kernel.blocks()));
  }
  const auto bits = block.halves[0];
  if (size == 1) return move_as(engine, walk, to, nullptr, size, static_cast<std::uint8_t>(bits));
  if (size == 2) return move_as(engine, walk, to, nullptr, size, static_cast<std::uint16_t>(bits));
  if (size == 4) return move_as(engine, walk, to, nullptr, size, static_cast<std::uint32_t>(bits));
  move_as(engine, walk, to, nullptr, size, bits);
}

}  // namespace napkin::cuda
