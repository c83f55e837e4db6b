#include "common/tensor/cpu/copy/copy.h"

#include <algorithm>
#include <cstring>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/copy/strided.h"
#include "common/tensor/cpu/stream.h"
#include "common/tensor/number.h"
#include "common/tensor/views.h"

namespace napkin::cpu {
namespace {

// From this size on strided results go past the caches. Plain copies do later (stream.h), but cache
// lines that are written in parts, or far from each other, are fetched into the caches in vain.
constexpr std::int64_t strided_streaming_bytes = streaming_bytes / 8 * 3;

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

// One unbroken run of memory to another.
void copy_run(std::byte* to, const std::byte* from, std::int64_t bytes, bool streams) {
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

bool is_one_run(const Walk& walk) {
  return walk.shape.size() == 2 && walk.shape[1] == 1 && walk.strides[0][0] == 1 &&
         walk.strides[1][0] == 1;
}

// Elements of one dtype; the source's are not repeated along the walk's first dimension.
void copy_elements(StridedCopy& copy, std::int64_t bytes) {
  if (is_one_run(copy.walk)) return copy_run(copy.to, copy.from, bytes, bytes >= streaming_bytes);
  enlarge_elements(copy);
  copy_strided(copy, bytes >= strided_streaming_bytes);
}

}  // namespace

void copy(const Tensor& destination, const Tensor& source, Overflow overflow) {
  const Layout* layouts[] = {&destination.layout(), &source.layout()};
  const DType dtype = destination.dtype();
  std::byte *to = elements_of(destination), *from = elements_of(source);
  StridedCopy copy{plan_walk(layouts), to, from, size_of(dtype)};
  if (dtype == source.dtype() && copy.walk.strides[1][0] != 0)
    return copy_elements(copy, destination.bytes());
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
