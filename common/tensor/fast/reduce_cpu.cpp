// Sums on the CPU: one pass for each run of dimensions that go.
#include "common/tensor/fast/reduce_cpu.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/core/parallel.h"
#include "common/tensor/fast/boxes.h"
#include "common/tensor/fast/host_memory.h"
#include "common/tensor/fast/reduce_loops.h"

namespace napkin::fast {
namespace {

// Memory of a computation, given back at its end.
class Workspace {
 public:
  explicit Workspace(std::int64_t bytes) : bytes_(bytes) {
    if (bytes > 0) memory_ = take_memory(bytes);
  }
  Workspace(Workspace&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_) {}
  Workspace& operator=(Workspace&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Workspace() {
    if (memory_ != nullptr) give_memory(memory_, bytes_);
  }
  std::byte* data() const { return memory_; }

 private:
  std::byte* memory_ = nullptr;
  std::int64_t bytes_;
};

// What is still to be added up: dimensions from the fastest to the slowest, neighbours merged where
// both are kept or both reduced and the elements continue evenly.
struct Remaining {
  std::byte* data;
  DType dtype;
  Shape shape;
  Strides strides;
  Dims reduced;  // 1 or 0 for each dimension
};

Remaining remaining_of(const Tensor& x, const Dims& order, const Dims& is_reduced) {
  Remaining r{static_cast<std::byte*>(x.raw_data()), x.dtype(), {}, {}, {}};
  for (const std::int64_t number : order) {
    const int d = static_cast<int>(number), last = r.shape.size() - 1;
    if (x.shape()[d] == 1) continue;
    if (last >= 0 && r.reduced[last] == is_reduced[d] &&
        r.strides[last] * r.shape[last] == x.strides()[d]) {
      r.shape[last] *= x.shape()[d];
      continue;
    }
    r.shape.push_back(x.shape()[d]);
    r.strides.push_back(x.strides()[d]);
    r.reduced.push_back(is_reduced[d]);
  }
  return r;
}

// The walk of one pass, over (0) the elements to be added up, (1) the number of the sum that they
// belong to, (2) their number in that sum. The reduced dimension is the fastest or the second one.
Walk walk_of(const Remaining& r, int d) {
  Walk walk;
  walk.operands = 3;
  std::int64_t next = 1;
  const auto push = [&](int i) {
    const bool reduces = i == d;
    walk.shape.push_back(r.shape[i]);
    walk.strides[0].push_back(r.strides[i]);
    walk.strides[1].push_back(reduces ? 0 : next);
    walk.strides[2].push_back(reduces ? 1 : 0);
    if (!reduces) next *= r.shape[i];
  };
  push(0);
  if (d > 0) push(d);
  for (int i = 1; i < r.shape.size(); ++i)
    if (i != d) push(i);
  if (walk.shape.size() < 2) {
    walk.shape.push_back(1);
    for (std::size_t k = 0; k < 3; ++k) walk.strides[k].push_back(0);
  }
  return walk;
}

// One pass: dimension d of what remains is added up. The sums are of the compute type and stand
// side by side in the order of the dimensions that are left.
class Pass {
 public:
  Pass(const Remaining& r, int d)
      : walk_(walk_of(r, d)),
        x_{0, r.dtype, r.data},
        compute_(compute_type(r.dtype)),
        size_(size_of(compute_)),
        loops_(sum_loops(compute_)),
        along_rows_(d == 0) {
    for (int i = 0; i < r.shape.size(); ++i)
      if (i != d) sums_ *= r.shape[i];
    blocks_ = (r.shape[d] - 1) / reduce_block + 1;
    if (along_rows_) {
      walk_.columns = std::min(r.shape[d], reduce_block);
      walk_.rows = std::min(walk_.shape[1], Walk::box_elements / walk_.columns);
    } else {
      walk_.columns = std::min(walk_.shape[0], widest);
      walk_.rows = std::min(r.shape[d], reduce_block);
    }
  }

  Workspace run() {
    Workspace partial(blocks_ * sums_ * size_);  // (blocks, sums)
    const std::int64_t box = walk_.columns * walk_.rows;
    parallel_for(walk_.boxes(), std::max<std::int64_t>(1, (32 << 10) / box),
                 [&](std::int64_t first, std::int64_t last) {
                   along_rows_ ? add_rows(partial.data(), first, last)
                               : add_columns(partial.data(), first, last);
                 });
    loops_.fold(partial.data(), blocks_, sums_);
    return partial;
  }

 private:
  static constexpr std::int64_t widest = 256;  // lanes of so many columns fit into a cache

  std::byte* place(std::byte* partial, const Box& box) const {
    return partial + (box.start[2] / reduce_block * sums_ + box.start[1]) * size_;
  }

  // The reduced dimension is the fastest one: every row of a box is one block.
  void add_rows(std::byte* partial, std::int64_t first, std::int64_t last) const {
    BoxReader reader;
    reader.open(walk_, x_, compute_, compute_);
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk_, n);
      loops_.rows(place(partial, box), reader.read(box), box.rows, box.columns);
    }
  }

  // It is the second one: every column of a box is one block.
  void add_columns(std::byte* partial, std::int64_t first, std::int64_t last) const {
    BoxReader reader;
    reader.open(walk_, x_, compute_, compute_);
    alignas(64) std::byte lanes[reduce_lanes * widest * 8];
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk_, n);
      to_lanes(lanes, box, reader);
      loops_.fold(lanes, std::min(box.rows, reduce_lanes), box.columns);
      std::memcpy(place(partial, box), lanes, static_cast<std::size_t>(box.columns * size_));
    }
  }

  void to_lanes(std::byte* lanes, const Box& box, BoxReader& reader) const {
    const std::int64_t step = walk_.strides[0][1];
    if (x_.dtype == compute_ && walk_.strides[0][0] == 1)  // rows are read where they stand
      return loops_.to_lanes(lanes, x_.data + box.start[0] * size_, step, 0, box.rows, box.columns);
    const std::int64_t most = Walk::box_elements / box.columns;
    for (std::int64_t row = 0; row < box.rows; row += most) {
      Box part = box;
      part.rows = std::min(most, box.rows - row);
      part.start[0] += row * step;
      loops_.to_lanes(lanes, reader.read(part), box.columns, row, part.rows, box.columns);
    }
  }

  Walk walk_;
  Operand x_;
  DType compute_;
  std::int64_t size_;
  SumLoops loops_;
  bool along_rows_;
  std::int64_t sums_ = 1, blocks_;
};

int first_reduced(const Remaining& r) {
  for (int d = 0; d < r.shape.size(); ++d)
    if (r.reduced[d] != 0) return d;
  return -1;
}

// After a pass over dimension d: what it left, unbroken.
void shrink(Remaining& r, int d, std::byte* sums) {
  r.data = sums;
  r.dtype = compute_type(r.dtype);
  r.shape.erase(d);
  r.reduced.erase(d);
  r.strides = Strides();
  std::int64_t next = 1;
  for (const std::int64_t size : r.shape) {
    r.strides.push_back(next);
    next *= size;
  }
}

}  // namespace

void sum_on_cpu(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced) {
  Remaining r = remaining_of(x, order, is_reduced);
  if (first_reduced(r) < 0) {  // only dimensions of size 1 go
    r.shape.insert(0, 1);
    r.strides.insert(0, 1);
    r.reduced.insert(0, 1);
  }
  Workspace sums(0);
  for (int d = first_reduced(r); d >= 0; d = first_reduced(r)) {
    sums = Pass(r, d).run();
    shrink(r, d, sums.data());
  }
  convert_all(result.raw_data(), result.dtype(), r.data, r.dtype, result.numel());
}

}  // namespace napkin::fast
