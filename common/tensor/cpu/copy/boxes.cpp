#include "common/tensor/cpu/copy/boxes.h"

#include <algorithm>
#include <cstring>

#include "common/tensor/cpu/stream.h"
#include "common/tensor/cpu/copy/transpose.h"

namespace napkin {
namespace {

constexpr auto index(int k) { return static_cast<std::size_t>(k); }

BoxSteps steps_of(const Walk& walk, const Operand& operand) {
  const Strides& strides = walk.strides[index(operand.number)];
  const std::int64_t size = size_of(operand.dtype);
  const auto step = [&](int d) { return walk.shape[d] > 1 ? strides[d] * size : 0; };
  return {step(0), step(1), size};
}

bool is_unbroken(const Box& box, const BoxSteps& steps) {
  return (box.columns == 1 || steps.column == steps.size) &&
         (box.rows == 1 || steps.row == box.columns * steps.size);
}

// Elements that stand `steps` apart, brought together or taken apart again. Only their size counts.
template <std::size_t size>
void gather(std::byte* to, const std::byte* from, const Box& box, const BoxSteps& steps) {
  for (std::int64_t r = 0; r < box.rows; ++r)
    for (std::int64_t c = 0; c < box.columns; ++c, to += size)
      std::memcpy(to, from + r * steps.row + c * steps.column, size);
}

template <std::size_t size>
void scatter(std::byte* to, const std::byte* from, const Box& box, const BoxSteps& steps) {
  for (std::int64_t r = 0; r < box.rows; ++r)
    for (std::int64_t c = 0; c < box.columns; ++c, from += size)
      std::memcpy(to + r * steps.row + c * steps.column, from, size);
}

void gather_box(std::byte* to, const std::byte* from, const Box& box, const BoxSteps& steps) {
  if (steps.column == steps.size) {
    const std::int64_t row = box.columns * steps.size;
    for (std::int64_t r = 0; r < box.rows; ++r)
      std::memcpy(to + r * row, from + r * steps.row, static_cast<std::size_t>(row));
    return;
  }
  if (steps.row == steps.size)
    return cpu::transpose(
        {to, box.columns, from, steps.column / steps.size, box.columns, box.rows, steps.size},
        false);
  switch (steps.size) {
    case 1:
      return gather<1>(to, from, box, steps);
    case 2:
      return gather<2>(to, from, box, steps);
    case 4:
      return gather<4>(to, from, box, steps);
    default:
      return gather<8>(to, from, box, steps);
  }
}

void scatter_box(std::byte* to, const std::byte* from, const Box& box, const BoxSteps& steps,
                 bool streams) {
  if (steps.column == steps.size) {
    const std::int64_t row = box.columns * steps.size;
    for (std::int64_t r = 0; r < box.rows; ++r)
      if (streams)
        cpu::stream(to + r * steps.row, from + r * row, row);
      else
        std::memcpy(to + r * steps.row, from + r * row, static_cast<std::size_t>(row));
    return;
  }
  switch (steps.size) {
    case 1:
      return scatter<1>(to, from, box, steps);
    case 2:
      return scatter<2>(to, from, box, steps);
    case 4:
      return scatter<4>(to, from, box, steps);
    default:
      return scatter<8>(to, from, box, steps);
  }
}

template <class Element>
void repeat_as(std::byte* to, const void* element, std::int64_t count) {
  Element e;
  std::memcpy(&e, element, sizeof(e));
  std::fill_n(reinterpret_cast<Element*>(to), count, e);
}

// The same element, count times.
void repeat(std::byte* to, const void* element, std::int64_t size, std::int64_t count) {
  switch (size) {
    case 1:
      return repeat_as<std::uint8_t>(to, element, count);
    case 2:
      return repeat_as<std::uint16_t>(to, element, count);
    case 4:
      return repeat_as<std::uint32_t>(to, element, count);
    default:
      return repeat_as<std::uint64_t>(to, element, count);
  }
}

bool is_repeated(const Walk& walk, int operand) {
  const Strides& strides = walk.strides[index(operand)];
  return std::all_of(strides.begin(), strides.end(), [](std::int64_t s) { return s == 0; });
}

}  // namespace

void ConversionChain::append(DType to, DType from, Overflow overflow) {
  if (to == from) return;
  const DType between = compute_type(from);
  if (between != from) steps_[index(count_++)] = cpu::conversion(between, from);
  if (between != to) steps_[index(count_++)] = cpu::conversion(to, between, overflow);
  streaming_ = between == to ? cpu::streaming_conversion(to, from) : nullptr;
}

const void* ConversionChain::run(const void* from, std::int64_t count, void* last, bool streams) {
  for (int s = 0; s < count_; ++s) {
    void* to = s == count_ - 1 && last != nullptr ? last : buffers_[s % 2].bytes;
    const bool is_streamed = streams && s == count_ - 1;
    (is_streamed ? streaming_ : steps_[index(s)])(to, from, count);
    from = to;
  }
  return from;
}

void BoxReader::open(const Walk& walk, const Operand& operand, DType through, DType to) {
  operand_ = operand;
  steps_ = steps_of(walk, operand);
  chain_.append(through, operand.dtype);
  chain_.append(to, through);
  repeated_ = is_repeated(walk, operand.number);
  if (repeated_)
    repeat(repeated_elements_.bytes, chain_.run(operand.data, 1), size_of(to),
           walk.columns * walk.rows);
}

const void* BoxReader::read(const Box& box, void* target, bool streams) {
  if (repeated_) return repeated_elements_.bytes;
  return read_from(operand_.data + box.start[index(operand_.number)] * steps_.size, box, target,
                   streams);
}

const void* BoxReader::read_from(const std::byte* place, const Box& box, void* target,
                                 bool streams) {
  if (!is_unbroken(box, steps_)) {
    gather_box(chain_.input(), place, box, steps_);
    place = chain_.input();
  }
  return chain_.run(place, box.columns * box.rows, target, streams);
}

BoxWriter::BoxWriter(const Walk& walk, const Operand& operand, DType from, bool streams,
                     Overflow overflow)
    : operand_(operand), steps_(steps_of(walk, operand)), streams_(streams) {
  chain_.append(operand.dtype, from, overflow);
}

BoxWriter::~BoxWriter() {
  if (streams_) cpu::stream_fence();
}

std::byte* BoxWriter::place(const Box& box) const {
  return operand_.data + box.start[index(operand_.number)] * steps_.size;
}

bool BoxWriter::is_direct(const Box& box) const { return !streams_ && is_unbroken(box, steps_); }

bool BoxWriter::wants_streaming(const Box& box) const {
  return streams_ && chain_.empty() && is_unbroken(box, steps_) &&
         reinterpret_cast<std::uintptr_t>(place(box)) % 64 == 0 &&
         box.columns * box.rows * steps_.size % 64 == 0;
}

void* BoxWriter::target(const Box& box, bool streams) {
  const bool in_place = streams || (chain_.empty() && is_direct(box));
  return in_place ? place(box) : computed_.bytes;
}

void BoxWriter::write(const Box& box, const void* elements) {
  const std::int64_t count = box.columns * box.rows;
  std::byte* to = place(box);
  if (elements == to) return;  // they were put there
  const void* converted = chain_.run(elements, count, is_direct(box) ? to : nullptr);
  if (converted == to) return;
  if (!is_unbroken(box, steps_))
    scatter_box(to, static_cast<const std::byte*>(converted), box, steps_, streams_);
  else if (streams_)
    cpu::stream(to, converted, count * steps_.size);
  else
    std::memcpy(to, converted, static_cast<std::size_t>(count * steps_.size));
}

}  // namespace napkin
