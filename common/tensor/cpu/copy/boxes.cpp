#include "common/tensor/cpu/copy/boxes.h"

#include <algorithm>
#include <cstring>

#include "common/tensor/cpu/copy/loops.h"
#include "common/tensor/cpu/stream.h"

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

// Elements that stand `steps` apart, brought together or taken apart again: row after row.
void gather(std::byte* to, const std::byte* from, const Box& box, const BoxSteps& steps) {
  const auto [column, row, size] = steps;
  const cpu::CopyBox copy{to,
                          from,
                          size,
                          {box.columns, box.rows, 1, 1},
                          {size, box.columns * size, 0, 0},
                          {column, row, 0, 0}};
  cpu::copy_box(cpu::kind_of(copy), copy);
}

void scatter(std::byte* to, const std::byte* from, const Box& box, const BoxSteps& steps,
             bool streams) {
  const auto [column, row, size] = steps;
  const cpu::CopyBox copy{to,
                          from,
                          size,
                          {box.columns, box.rows, 1, 1},
                          {column, row, 0, 0},
                          {size, box.columns * size, 0, 0}};
  const cpu::CopyKind kind = cpu::kind_of(copy);
  if (streams && kind == cpu::CopyKind::runs) return cpu::stream_runs(copy, box.columns * size);
  cpu::copy_box(kind, copy);
}

// The same element, count times.
void repeat(void* to, const void* element, std::int64_t size, std::int64_t count) {
  cpu::copy_box(cpu::CopyKind::elements, {static_cast<std::byte*>(to),
                                          static_cast<const std::byte*>(element),
                                          size,
                                          {count, 1, 1, 1},
                                          {size, 0, 0, 0},
                                          {}});
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
    gather(chain_.input(), place, box, steps_);
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
    scatter(to, static_cast<const std::byte*>(converted), box, steps_, streams_);
  else if (streams_)
    cpu::stream(to, converted, count * steps_.size);
  else
    std::memcpy(to, converted, static_cast<std::size_t>(count * steps_.size));
}

}  // namespace napkin
