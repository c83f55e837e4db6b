// The kernels that pick by position, as structs that GPU and host run (gpu/launch.h).
#pragma once
#include "common/gpu/fault.h"
#include "common/gpu/launch.h"
#include "common/tensor/cuda/elements.h"
#include "common/tensor/cuda/places.h"

namespace napkin::cuda {

struct Index {
  const std::byte* data;
  bool wide;          // int64, else int32
  std::int64_t size;  // what it points into
  gpu::FaultReporter faults;

  NAPKIN_HD std::int64_t unchecked(std::int64_t place) const {
    return wide ? *reinterpret_cast<const std::int64_t*>(data + place)
                : *reinterpret_cast<const std::int32_t*>(data + place);
  }
  // The number there; -1, reported, where it is not in [0, size - 1].
  NAPKIN_HD std::int64_t at(std::int64_t place) const {
    const std::int64_t number = unchecked(place);
    if (number >= 0 && number < size) return number;
    faults.report(number, size);
    return -1;
  }
};

// result[i] = x[i, index[i] in place of i_dim], an Element (one or several neighbours) a thread.
template <class Element>
struct Pick {
  Places<3> places;  // result, x but along dim, index
  std::int64_t count;
  std::byte* to;
  const std::byte* from;
  std::int64_t along;  // bytes of x's step along dim
  Index index;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    if (at.number() >= count) return;
    std::int64_t place[3];
    places.find(at.number(), place);
    const std::int64_t number = index.at(place[2]);
    if (number < 0) return;
    *reinterpret_cast<Element*>(to + place[0]) =
        *reinterpret_cast<const Element*>(from + place[1] + number * along);
  }
};

}  // namespace napkin::cuda
