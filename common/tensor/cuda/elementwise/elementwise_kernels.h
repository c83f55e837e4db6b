// The kernels of elementwise operations (rules/elementwise.h), as structs that GPU and host run.
#pragma once
#include "common/gpu/launch.h"
#include "common/tensor/cuda/elements.h"
#include "common/tensor/cuda/places.h"
#include "common/tensor/rules/elementwise.h"

namespace napkin::cuda {

// A tensor, or a number where there is no data.
template <class Compute>
struct Source {
  const std::byte* data;
  DType dtype, through;  // an element is converted to `through`, then to Compute
  bool is_packed;        // its elements stand side by side along packets, as T
  Compute number;

  NAPKIN_HD Compute read(std::int64_t place) const {
    return data != nullptr ? read_element<Compute>(data + place, dtype, through) : number;
  }
  // The same for a condition: a bool tensor.
  NAPKIN_HD Compute read_condition(std::int64_t place) const {
    return data != nullptr ? Compute(static_cast<std::uint8_t>(data[place]) != 0) : number;
  }
};

template <class Rule>
NAPKIN_HD constexpr bool is_condition(int k) {
  return Rule::has_condition && k == 0;
}

template <class Rule, class Compute>
NAPKIN_HD Compute read_operand(const Source<Compute>& source, int k, std::int64_t place) {
  if (is_condition<Rule>(k)) return source.read_condition(place);
  return source.read(place);
}

template <class Rule, class Compute>
NAPKIN_HD auto apply_rule(const Compute (&x)[Rule::operands]) {
  if constexpr (Rule::has_condition)
    return Rule{}(x[0] != 0, x[1], x[2]);
  else if constexpr (Rule::operands == 1)
    return Rule{}(x[0]);
  else if constexpr (Rule::operands == 2)
    return Rule{}(x[0], x[1]);
  else if constexpr (Rule::operands == 3)
    return Rule{}(x[0], x[1], x[2]);
  else
    return Rule{}(x[0], x[1], x[2], x[3]);
}

// Results of one dtype T (or bool), side by side, 16 bytes of T at a time. Each operand either
// stands side by side, too, or is one element for the whole packet.
template <class Rule, class T>
struct ElementwisePackets {
  static constexpr int width = packet_bytes / sizeof(T), operands = Rule::operands;
  using Compute = Computed<T>;
  using Result = std::conditional_t<Rule::kind == Kind::comparison, bool, T>;

  Places<operands + 1> places;  // of packets
  std::int64_t packets;
  int rest;  // elements behind the last packet, where there is but one row
  std::byte* result;
  Source<Compute> sources[operands];

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t item = at.number();
    if (item > packets || (item == packets && rest == 0)) return;
    std::int64_t place[operands + 1];
    places.find(item, place);
    if (item < packets)
      whole(place);
    else
      for (int j = 0; j < rest; ++j) one(place, j);
  }

 private:
  NAPKIN_HD void whole(const std::int64_t (&place)[operands + 1]) const {
    Compute x[width][operands];
    for (int k = 0; k < operands; ++k)
      if (is_condition<Rule>(k) && sources[k].is_packed) {
        const auto in =
            *reinterpret_cast<const Packet<std::uint8_t, width>*>(sources[k].data + place[k + 1]);
        for (int j = 0; j < width; ++j) x[j][k] = Compute(in.elements[j] != 0);
      } else if (sources[k].is_packed) {
        const auto in = *reinterpret_cast<const Packet<T, width>*>(sources[k].data + place[k + 1]);
        for (int j = 0; j < width; ++j) x[j][k] = convert<Compute>(in.elements[j]);
      } else {
        const Compute same = read_operand<Rule>(sources[k], k, place[k + 1]);
        for (int j = 0; j < width; ++j) x[j][k] = same;
      }
    Packet<Result, width> out;
    for (int j = 0; j < width; ++j) out.elements[j] = convert<Result>(apply_rule<Rule>(x[j]));
    *reinterpret_cast<Packet<Result, width>*>(result + place[0]) = out;
  }

  NAPKIN_HD void one(const std::int64_t (&place)[operands + 1], int j) const {
    Compute x[operands];
    for (int k = 0; k < operands; ++k) {
      const std::int64_t size = is_condition<Rule>(k) ? 1 : sizeof(T);
      const std::int64_t step = sources[k].is_packed ? j * size : 0;
      x[k] = read_operand<Rule>(sources[k], k, place[k + 1] + step);
    }
    reinterpret_cast<Result*>(result + place[0])[j] = convert<Result>(apply_rule<Rule>(x));
  }
};

// Any layouts and dtypes, element by element.
template <class Rule, class Compute>
struct Elementwise {
  Places<Rule::operands + 1> places;
  std::int64_t count;
  std::byte* result;
  DType dtype;  // of the result
  Source<Compute> sources[Rule::operands];

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t item = at.number();
    if (item >= count) return;
    std::int64_t place[Rule::operands + 1];
    places.find(item, place);
    Compute x[Rule::operands];
    for (int k = 0; k < Rule::operands; ++k) x[k] = read_operand<Rule>(sources[k], k, place[k + 1]);
    if constexpr (Rule::kind == Kind::comparison)
      write_element<std::int64_t>(result + place[0], dtype, apply_rule<Rule>(x) ? 1 : 0);
    else
      write_element(result + place[0], dtype, apply_rule<Rule>(x));
  }
};

}  // namespace napkin::cuda
