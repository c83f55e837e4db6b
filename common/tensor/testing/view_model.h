// For the tests: a view as a plain list of places in the storage, without strides.
//
// A model holds, for every index in row-major order, the place of its element; a view of it is made
// by asking, index by index, where the element comes from.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "common/tensor/dims.h"

namespace napkin {

using Index = std::vector<std::int64_t>;

inline Shape dims(const Index& sizes) { return Shape(std::span<const std::int64_t>(sizes)); }

// Calls f with every index of the shape, the last number running fastest.
inline void each_index(const Index& shape, const std::function<void(const Index&)>& f,
                       Index prefix = {}) {
  if (prefix.size() == shape.size()) return f(prefix);
  prefix.push_back(0);
  for (; prefix.back() < shape[prefix.size() - 1]; ++prefix.back()) each_index(shape, f, prefix);
}

struct Model {
  Index shape;
  Index places;

  std::int64_t at(const Index& index) const {
    std::int64_t n = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) n = n * shape[d] + index[d];
    return places.at(static_cast<std::size_t>(n));
  }
  // A view: the element at each index of the new shape is this model's at source(index).
  Model from(const Index& new_shape, const std::function<Index(Index)>& source) const {
    Model view{new_shape, {}};
    each_index(new_shape, [&](const Index& index) { view.places.push_back(at(source(index))); });
    return view;
  }
  bool shares_places() const {
    return std::set(places.begin(), places.end()).size() != places.size();
  }
  // Whether the places, in the order of the indices, are first, first + 1, ...
  bool is_consecutive() const {
    for (std::size_t i = 1; i < places.size(); ++i)
      if (places[i] != places[i - 1] + 1) return false;
    return true;
  }
  bool is_consecutive_when_sorted() const {
    Model sorted{{}, places};
    std::sort(sorted.places.begin(), sorted.places.end());
    return sorted.is_consecutive();
  }
  // Whether some strides find these places under the given shape: each is then the distance of two
  // neighbours, and every other element must agree with it.
  bool has_strides(const Index& other_shape) const {
    if (places.empty()) return true;
    const Model other{other_shape, places};
    const Index origin(other_shape.size(), 0);
    bool agree = true;
    each_index(other_shape, [&](const Index& index) {
      std::int64_t place = places[0];
      for (std::size_t d = 0; d < index.size(); ++d) {
        if (index[d] == 0) continue;
        Index neighbour = origin;
        neighbour[d] = 1;
        place += index[d] * (other.at(neighbour) - places[0]);
      }
      agree = agree && place == other.at(index);
    });
    return agree;
  }
};

}  // namespace napkin
