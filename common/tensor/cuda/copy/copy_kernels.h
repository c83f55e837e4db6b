// The kernels of copies, fills and conversions, as structs that GPU and host run (gpu/launch.h).
#pragma once
#include "common/gpu/launch.h"
#include "common/tensor/cuda/elements.h"
#include "common/tensor/cuda/places.h"

namespace napkin::cuda {

// 16 bytes that are only moved.
struct alignas(packet_bytes) Block {
  std::uint64_t halves[2];
};

// Elements of any layouts to others: only their size counts. Without a source, one element to all.
template <class Element>
struct Move {
  Places<2> places;  // destination, source
  std::int64_t count;
  std::byte* to;
  const std::byte* from;
  Element repeated;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t item = at.number();
    if (item >= count) return;
    std::int64_t place[2];
    places.find(item, place);
    *reinterpret_cast<Element*>(to + place[0]) =
        from != nullptr ? *reinterpret_cast<const Element*>(from + place[1]) : repeated;
  }
};

// One element over and over into a run. Threads count aligned blocks of 16 bytes, of
// which the first and the last may lie in the run only in part.
struct Fill {
  std::byte* to;
  std::int64_t bytes;
  Block block;  // the element, repeated
  int element_bytes;

  NAPKIN_HD static std::int64_t lead(const std::byte* to) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % packet_bytes);
  }
  NAPKIN_HD std::int64_t blocks() const {
    return (lead(to) + bytes + packet_bytes - 1) / packet_bytes;
  }
  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    if (at.number() >= blocks()) return;
    const std::int64_t first = at.number() * packet_bytes - lead(to);
    if (first >= 0 && first + packet_bytes <= bytes) {
      *reinterpret_cast<Block*>(to + first) = block;
      return;
    }
    for (std::int64_t b = first; b < first + packet_bytes; b += element_bytes)
      if (b >= 0 && b < bytes) put(to + b);
  }
  NAPKIN_HD void put(std::byte* at) const {
    const std::uint64_t bits = block.halves[0];
    if (element_bytes == 1) *reinterpret_cast<std::uint8_t*>(at) = static_cast<std::uint8_t>(bits);
    if (element_bytes == 2)
      *reinterpret_cast<std::uint16_t*>(at) = static_cast<std::uint16_t>(bits);
    if (element_bytes == 4)
      *reinterpret_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(bits);
    if (element_bytes == 8) *reinterpret_cast<std::uint64_t*>(at) = bits;
  }
};

// Matrices to their transposes, through tiles of the block's shared memory: the source is read
// along its rows and the destination written along its own. The tile's rows have one element more
// than they need, so that a column's elements lie in different banks.
template <class Element>
struct Transpose {
  static constexpr int side = 32, threads = 256, rows_at_once = threads / side;

  std::byte* to;
  const std::byte* from;
  // Element (i, j) of the destination, j the faster, is element (j, i) of the source.
  std::int64_t rows, columns;     // of the destination
  std::int64_t to_row, from_row;  // bytes from one row to the next of each
  Places<2> batch;                // where the matrices begin
  Divider tiles_across, tiles_in_matrix;

  struct Shared {
    Element tile[side][side + 1];
  };
  NAPKIN_HD constexpr int phases() const { return 2; }

  static std::int64_t tiles(std::int64_t size) { return (size + side - 1) / side; }
  // There are at most 2^31 - 1 blocks.
  std::int64_t blocks() const { return tiles(rows) * tiles(columns) * batch.items(); }
  void prepare() {
    tiles_across = Divider(static_cast<std::uint32_t>(tiles(columns)));
    tiles_in_matrix = Divider(static_cast<std::uint32_t>(tiles(rows) * tiles(columns)));
  }

  NAPKIN_HD void operator()(const gpu::Thread& at, Shared& shared, int phase) const {
    const auto block = static_cast<std::uint32_t>(at.block);
    const std::uint32_t matrix = tiles_in_matrix(block);
    const auto across = static_cast<std::uint32_t>((columns + side - 1) / side);
    const auto down = static_cast<std::uint32_t>((rows + side - 1) / side);
    const std::uint32_t tile = block - matrix * across * down;
    const std::uint32_t tile_row = tiles_across(tile);
    const std::int64_t first_row = std::int64_t{tile_row} * side;
    const std::int64_t first_column = std::int64_t{tile - tile_row * across} * side;
    std::int64_t place[2];
    batch.find(matrix, place);
    const int x = at.index % side, y = at.index / side;
    for (int k = y; k < side; k += rows_at_once)
      if (phase == 0)
        read(shared, from + place[1], first_column + k, first_row + x, k, x);
      else
        write(shared, to + place[0], first_row + k, first_column + x, k, x);
  }

 private:
  NAPKIN_HD void read(Shared& shared, const std::byte* matrix, std::int64_t j, std::int64_t i,
                      int k, int x) const {
    if (j < columns && i < rows)
      shared.tile[k][x] = reinterpret_cast<const Element*>(matrix + j * from_row)[i];
  }
  NAPKIN_HD void write(const Shared& shared, std::byte* matrix, std::int64_t i, std::int64_t j,
                       int k, int x) const {
    if (i < rows && j < columns)
      reinterpret_cast<Element*>(matrix + i * to_row)[j] = shared.tile[x][k];
  }
};

// A run of one dtype to one of another (or of the same, which is moved), four
// elements at a time; both begin where such a packet may.
template <class To, class From>
struct ConvertPackets {
  static constexpr int width = 4;
  To* to;
  const From* from;
  std::int64_t count;
  Overflow overflow;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t first = at.number() * width;
    if (first >= count) return;
    if (first + width <= count) {
      const auto in = *reinterpret_cast<const Packet<From, width>*>(from + first);
      Packet<To, width> out;
      for (int k = 0; k < width; ++k) out.elements[k] = convert<To>(in.elements[k], overflow);
      *reinterpret_cast<Packet<To, width>*>(to + first) = out;
      return;
    }
    for (std::int64_t i = first; i < count; ++i) to[i] = convert<To>(from[i], overflow);
  }
};

// Elements of any layouts and dtypes; Compute is the source's compute type.
template <class Compute>
struct Convert {
  Places<2> places;
  std::int64_t count;
  std::byte* to;
  const std::byte* from;
  DType to_dtype, from_dtype;
  Overflow overflow;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t item = at.number();
    if (item >= count) return;
    std::int64_t place[2];
    places.find(item, place);
    const auto x = read_element<Compute>(from + place[1], from_dtype, from_dtype);
    write_element(to + place[0], to_dtype, x, overflow);
  }
};

}  // namespace napkin::cuda
