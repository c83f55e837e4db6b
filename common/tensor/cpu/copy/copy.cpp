// Copies on the CPU: one stretch, a transposed matrix, slabs, or box by box.
#include "common/tensor/cpu/copy/copy.h"

#include <algorithm>
#include <cstring>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/copy/slabs.h"
#include "common/tensor/cpu/stream.h"
#include "common/tensor/cpu/copy/transpose.h"
#include "common/tensor/number.h"
#include "common/tensor/views.h"

namespace napkin::cpu {
namespace {

std::byte* elements_of(const Tensor& x) { return static_cast<std::byte*>(x.raw_data()); }

constexpr std::int64_t boxes_per_thread = 32;

// Any layouts and dtypes, box by box.
void copy_boxes(const Walk& walk, const Operand& to, const Operand& from, bool streams,
                Overflow overflow) {
  // The same dtype goes through as it is; others meet in the source's compute type.
  const DType between = to.dtype == from.dtype ? to.dtype : compute_type(from.dtype);
  parallel_for(walk.boxes(), boxes_per_thread, [&](std::int64_t first, std::int64_t last) {
    BoxReader reader;
    reader.open(walk, from, between, between);
    BoxWriter writer(walk, to, between, streams, overflow);
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk, n);
      const bool past_caches = reader.can_stream() && writer.wants_streaming(box);
      writer.write(box, reader.read(box, writer.target(box, past_caches), past_caches));
    }
  });
}

// One unbroken stretch to another.
void copy_stretch(std::byte* to, const std::byte* from, std::int64_t bytes, bool streams) {
  constexpr std::int64_t grain = 64 << 10;
  parallel_for(bytes, grain, [&](std::int64_t first, std::int64_t last) {
    if (!streams) {
      std::memcpy(to + first, from + first, static_cast<std::size_t>(last - first));
      return;
    }
    stream(to + first, from + first, last - first);
    stream_fence();
  });
}

bool is_one_stretch(const Walk& walk) {
  return walk.shape.size() == 2 && walk.shape[1] == 1 && walk.strides[0][0] == 1 &&
         walk.strides[1][0] == 1;
}

// Whether the source's elements stand side by side along the walk's second dimension while the
// destination's do along the first, and both so far that they fill lines of memory.
bool is_transposed(const StridedCopy& c, bool streams) {
  const Walk& walk = c.walk;
  const std::int64_t long_row = streams && !fills_lines(c) ? 1024 : 64;  // bytes
  return walk.strides[0][0] == 1 && walk.strides[1][0] != 1 && walk.strides[1][1] == 1 &&
         walk.shape[0] * c.size >= long_row && walk.shape[1] > 4;
}

// A matrix to its transpose, or a batch of them: the walk's first two dimensions, block by block,
// for every index of the others.
void copy_transposed(Walk walk, std::byte* to, const std::byte* from, std::int64_t size,
                     bool streams) {
  const Transposition whole{
      to, walk.strides[0][1], from, walk.strides[1][0], walk.shape[0], walk.shape[1], size};
  const TransposeBlock block = transpose_block(whole, streams);
  walk.columns = std::min(walk.shape[0], block.rows);
  walk.rows = std::min(walk.shape[1], block.columns);
  const std::int64_t grain =
      std::max<std::int64_t>(1, boxes_per_thread * Walk::box_elements / (walk.columns * walk.rows));
  parallel_for(walk.boxes(), grain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk, n);
      transpose({to + box.start[0] * size, whole.to_step, from + box.start[1] * size,
                 whole.from_step, box.columns, box.rows, size},
                streams);
    }
    if (streams) stream_fence();
  });
}

// Elements of one dtype; the source's are not repeated along the walk's first dimension.
void copy_strided(StridedCopy& copy, std::int64_t bytes) {
  if (is_one_stretch(copy.walk))
    return copy_stretch(copy.to, copy.from, bytes, bytes >= streaming_bytes);
  const bool streams = bytes >= strided_streaming_bytes;
  enlarge_elements(copy);
  if (is_transposed(copy, streams))
    return copy_transposed(copy.walk, copy.to, copy.from, copy.size, streams);
  copy_in_slabs(copy, streams);
}

}  // namespace

void copy(const Tensor& destination, const Tensor& source, Overflow overflow) {
  const Layout* layouts[] = {&destination.layout(), &source.layout()};
  const DType dtype = destination.dtype();
  std::byte *to = elements_of(destination), *from = elements_of(source);
  StridedCopy copy{plan_walk(layouts), to, from, size_of(dtype)};
  if (dtype == source.dtype() && copy.walk.strides[1][0] != 0)
    return copy_strided(copy, destination.bytes());
  copy_boxes(copy.walk, {0, dtype, to}, {1, source.dtype(), from},
             destination.bytes() >= streaming_bytes, overflow);
}

void fill(const Tensor& x, Scalar value) {
  alignas(8) std::byte element[8];
  store_number(value, x.dtype(), element);
  const Layout repeated = expand(Layout{}, x.shape());
  const Layout* layouts[] = {&x.layout(), &repeated};
  copy_boxes(plan_walk(layouts), {0, x.dtype(), elements_of(x)}, {1, x.dtype(), element},
             x.bytes() >= streaming_bytes, usual_overflow(x.dtype()));
}

}  // namespace napkin::cpu
