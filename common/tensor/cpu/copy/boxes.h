// Reading and writing the boxes of a walk (walk.h): whatever an operand's layout and dtype, a loop
// sees unbroken arrays of the type it computes in.
//
// An operand that already is such an array is read where it stands, and so is a result written;
// any other passes through a buffer of one box, which stays in the nearest cache.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/numeric/convert.h"
#include "common/tensor/cpu/copy/convert_loops.h"
#include "common/tensor/cpu/walk.h"

namespace napkin {

// One operand of a walk: its place in it and its first element.
struct Operand {
  int number;  // in walk.strides
  DType dtype;
  std::byte* data;
};

// An operand's steps, in bytes, from one column of a box to the next and from one row to the next.
struct BoxSteps {
  std::int64_t column, row, size;  // and the bytes of an element
};

// Room for the elements of one box of any dtype.
struct alignas(64) BoxBuffer {
  std::byte bytes[Walk::box_elements * 8];
};

// Conversions one after the other, with room for the elements in between.
class ConversionChain {
 public:
  // Goes on to a dtype from the one reached so far, by way of compute types.
  void append(DType to, DType from) { append(to, from, usual_overflow(to)); }
  void append(DType to, DType from, Overflow overflow);
  bool empty() const { return count_ == 0; }
  // Whether the last conversion can write past the caches.
  bool can_stream() const { return streaming_ != nullptr; }
  // Where elements may be put before they are converted.
  std::byte* input() { return buffers_[1].bytes; }
  // Returns where the converted elements are: in `last` where it is given, else in a buffer of the
  // chain; `from` itself where there is nothing to convert. `streams`: `last` past the caches.
  const void* run(const void* from, std::int64_t count, void* last = nullptr, bool streams = false);

 private:
  std::array<cpu::Conversion, 4> steps_;
  cpu::Conversion streaming_ = nullptr;
  int count_ = 0;
  BoxBuffer buffers_[2];
};

class BoxReader {
 public:
  // Elements will be converted to `through`, then to `to`.
  void open(const Walk& walk, const Operand& operand, DType through, DType to);

  // The elements of a box, row after row; valid until the next call.
  const void* read(const Box& box) { return read(box, nullptr, false); }
  // The same, converted elements at `target` if it is given.
  const void* read(const Box& box, void* target, bool streams);
  bool can_stream() const { return chain_.can_stream() && !repeated_; }

 private:
  const void* read_from(const std::byte* place, const Box& box, void* target, bool streams);

  Operand operand_;
  BoxSteps steps_;
  bool repeated_;  // one element for the whole walk: read and converted once
  BoxBuffer repeated_elements_;
  ConversionChain chain_;
};

class BoxWriter {
 public:
  // Elements come as `from`. `streams`: the result is so large that it had better not pass through
  // the caches.
  BoxWriter(const Walk& walk, const Operand& operand, DType from, bool streams)
      : BoxWriter(walk, operand, from, streams, usual_overflow(operand.dtype)) {}
  BoxWriter(const Walk& walk, const Operand& operand, DType from, bool streams, Overflow overflow);
  ~BoxWriter();
  BoxWriter(const BoxWriter&) = delete;
  BoxWriter& operator=(const BoxWriter&) = delete;

  // Whether the box is whole cache lines of memory that had better be streamed to.
  bool wants_streaming(const Box& box) const;
  // Where a loop may put the elements of a box, row after row, before it calls write. `streams`: it
  // streams them, as the box wants.
  void* target(const Box& box, bool streams);
  // Brings them to their places in memory.
  void write(const Box& box, const void* elements);

 private:
  std::byte* place(const Box& box) const;
  bool is_direct(const Box& box) const;  // one unbroken array in memory, not streamed

  const Operand operand_;
  const BoxSteps steps_;
  const bool streams_;
  BoxBuffer computed_;
  ConversionChain chain_;
};

}  // namespace napkin
