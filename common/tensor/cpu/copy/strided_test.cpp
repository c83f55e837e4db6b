// Strided copies against a plain loop over the elements, on every level: each kind of box, whole
// and cut ones, odd sizes and places, elements that become larger ones, streamed or not.
#include "common/tensor/cpu/copy/strided.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"

namespace napkin::cpu {
namespace {

using Bytes = std::vector<std::byte>;
using Order = std::vector<std::int64_t>;  // dimensions from the fastest to the slowest in memory

struct Case {
  Shape shape;
  Order to, from;
  std::int64_t step = 1;                  // between neighbours of the source, in elements
  std::int64_t to_gap = 0, from_gap = 0;  // elements between rows
  int gap_after = 0;                      // or after that dimension of the order
  std::int64_t offset = 0;                // elements before both
  int repeated = -1;                      // a dimension along which the source has stride 0
};

Layout layout_of(const Case& c, const Order& order, std::int64_t step, std::int64_t gap) {
  Layout layout{c.shape, Strides(c.shape.size(), 0), 0};
  int place = 0;
  for (const std::int64_t dimension : order) {
    const int d = static_cast<int>(dimension);
    layout.strides[d] = step;
    step = step * c.shape[d] + (place++ == c.gap_after ? gap : 0);
  }
  return layout;
}

std::int64_t bytes_of(const Layout& layout, std::int64_t offset, std::int64_t size) {
  std::int64_t last = offset;
  for (int d = 0; d < layout.rank(); ++d) last += (layout.shape[d] - 1) * layout.strides[d];
  return (last + 1) * size;
}

// The definition: one element after the other.
void copy_plainly(const Layout& to, std::byte* t, const Layout& from, const std::byte* f,
                  std::int64_t size) {
  Dims index(to.rank(), 0);
  for (int d = 0; d >= 0;) {
    std::memcpy(t + position(to, index) * size, f + position(from, index) * size,
                static_cast<std::size_t>(size));
    for (d = to.rank() - 1; d >= 0 && ++index[d] == to.shape[d]; --d) index[d] = 0;
  }
}

// Memory that starts a cache line, filled with random bytes.
struct Memory {
  Memory(std::int64_t bytes, std::mt19937& engine)
      : lines(static_cast<std::size_t>(bytes / 64 + 2)) {
    for (Line& line : lines)
      for (std::byte& b : line.bytes) b = static_cast<std::byte>(engine());
  }
  std::byte* data() { return lines[0].bytes; }
  bool operator==(const Memory& other) const {
    return std::memcmp(lines.data(), other.lines.data(), lines.size() * 64) == 0;
  }
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> lines;
};

// Returns the kind of the copy's boxes; whole memories are compared, so that nothing beside the
// elements may change.
CopyKind check_copy(const Case& c, std::int64_t size, bool streams, bool larger,
                    std::mt19937& engine) {
  const Layout to = layout_of(c, c.to, 1, c.to_gap);
  Layout from = layout_of(c, c.from, c.step, c.from_gap);
  if (c.repeated >= 0) from.strides[c.repeated] = 0;
  Memory source(bytes_of(from, c.offset, size), engine);
  Memory got(bytes_of(to, c.offset, size), engine);
  Memory want = got;
  const std::int64_t before = c.offset * size;
  copy_plainly(to, want.data() + before, from, source.data() + before, size);
  const Layout* layouts[] = {&to, &from};
  StridedCopy copy{plan_walk(layouts), got.data() + before, source.data() + before, size};
  if (larger) enlarge_elements(copy);
  if (copy.walk.strides[1][0] == 0) return CopyKind::elements;  // not a strided copy
  copy_strided(copy, streams);
  EXPECT_TRUE(got == want) << to_string(c.shape) << " from " << to_string(from.strides) << " to "
                           << to_string(to.strides) << ", offset " << c.offset << ", " << size
                           << " bytes" << (streams ? ", streamed" : "");
  return plan_copy(copy, streams).kind;
}

std::set<CopyKind> check_all_ways(const Case& c, std::mt19937& engine) {
  std::set<CopyKind> kinds;
  for (const std::int64_t size : {1, 2, 4, 8})
    for (const bool streams : {false, true})
      for (const bool larger : {false, true})
        kinds.insert(check_copy(c, size, streams, larger, engine));
  return kinds;
}

// Dimensions as they stand in the source; `to`: the destination's order.
Case permuted(const Shape& shape, const Order& to) {
  Case c{shape, to, {}};
  for (int d = shape.size() - 1; d >= 0; --d) c.from.push_back(d);
  return c;
}

class StridedCopies : public testing::Test {
 protected:
  void SetUp() override { set_threads(2); }
  void TearDown() override { set_threads(before_); }
  std::mt19937 engine_{11};

 private:
  const int before_ = threads();
};

TEST_F(StridedCopies, EveryKindAtOddSizes) {
  for (const std::string& level : levels()) {
    SCOPED_TRACE(level);
    const ForcedLevel forced(level);
    std::set<CopyKind> kinds;
    for (const std::int64_t n : {1, 3, 4, 7, 8, 15, 16, 17, 33, 64, 65, 1100})
      for (const std::int64_t few : {2, 3, 4, 5})
        for (const Case& c : {permuted({3, few, n}, {1, 2, 0}),  // planes become one
                              permuted({3, n, few}, {1, 2, 0}),  // and the reverse
                              permuted({few, 9, n}, {2, 0, 1}),  // runs
                              permuted({few, 3, n}, {0, 1, 2})}) {
          for (const std::int64_t offset : {0, 3}) {
            Case moved = c;
            moved.offset = offset;
            kinds.merge(check_all_ways(moved, engine_));
          }
        }
    EXPECT_EQ(kinds.size(), 2U);  // all but single elements
  }
}

// "b c (h p) (w q) -> b (h w) (p q c)", its reverse, and heads of every length.
TEST_F(StridedCopies, PatchesAndHeads) {
  for (const std::string& level : levels()) {
    SCOPED_TRACE(level);
    const ForcedLevel forced(level);
    for (const std::int64_t patch : {1, 2, 5, 8, 14, 16})
      for (const std::int64_t channels : {1, 3, 4}) {
        check_all_ways(permuted({2, channels, 3, patch, 5, patch}, {1, 5, 3, 4, 2, 0}), engine_);
        check_all_ways(permuted({2, 3, 5, patch, patch, channels}, {4, 2, 3, 1, 5, 0}), engine_);
        check_all_ways(permuted({2, channels, 3, patch, 5, patch}, {5, 3, 1, 4, 2, 0}), engine_);
      }
    for (const std::int64_t d : {1, 2, 3, 4, 6, 10, 16, 20, 32, 64, 80})
      check_all_ways(permuted({2, 70, 5, d}, {3, 1, 2, 0}), engine_);
  }
}

// Of a batch of matrices only the first may start a cache line.
TEST_F(StridedCopies, BatchesBesideLines) {
  for (const std::string& level : levels()) {
    SCOPED_TRACE(level);
    const ForcedLevel forced(level);
    for (const std::int64_t rows : {64, 128, 256, 1024})
      for (const std::int64_t gap : {0, 1, 16, 64}) {
        Case c = permuted({3, rows, 5}, {1, 2, 0});
        c.to_gap = gap;
        c.gap_after = 1;
        check_all_ways(c, engine_);
      }
  }
}

std::int64_t draw(std::mt19937& engine, std::size_t n) {
  return static_cast<std::int64_t>(engine() % n);
}

Case random_case(std::mt19937& engine) {
  constexpr std::int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 33, 64, 130};
  Case c;
  std::int64_t elements = 1;
  for (std::int64_t rank = 1 + draw(engine, 6); rank > 0; --rank) {
    const std::int64_t size = sizes[draw(engine, std::size(sizes))];
    if (elements * size > 8000) continue;
    elements *= size;
    for (Order* order : {&c.to, &c.from})
      order->insert(order->begin() + draw(engine, order->size() + 1), c.shape.size());
    c.shape.push_back(size);
  }
  if (draw(engine, 3) == 0) c.step = 2;
  if (draw(engine, 3) == 0) c.to_gap = 1 + draw(engine, 16);
  c.gap_after = static_cast<int>(draw(engine, 3));
  if (draw(engine, 3) == 0) c.from_gap = 1 + draw(engine, 16);
  if (draw(engine, 2) == 0) c.offset = draw(engine, 9);
  if (draw(engine, 4) == 0 && !c.shape.empty())
    c.repeated = static_cast<int>(draw(engine, static_cast<std::size_t>(c.shape.size())));
  return c;
}

TEST_F(StridedCopies, AnyOrderOfDimensions) {
  for (const std::string& level : levels()) {
    SCOPED_TRACE(level);
    const ForcedLevel forced(level);
    std::set<CopyKind> kinds;
    for (int round = 0; round < 200; ++round) {
      set_threads(1 + round % 3);
      const Case c = random_case(engine_);
      kinds.insert(check_copy(c, std::int64_t{1} << round % 4, round / 4 % 2 == 0,
                              round / 8 % 2 == 0, engine_));
    }
    EXPECT_EQ(kinds.size(), 3U);
  }
}

// Neighbours become one larger element only where no stride and no address breaks it.
TEST_F(StridedCopies, LargerElements) {
  alignas(64) std::byte memory[4096];
  const auto size_with = [&](std::int64_t d, std::int64_t size, std::int64_t offset,
                             std::int64_t to_gap = 0, std::int64_t from_gap = 0) {
    const Case c = permuted({5, 3, d}, {2, 0, 1});
    const Layout to = layout_of(c, c.to, 1, to_gap), from = layout_of(c, c.from, 1, from_gap);
    const Layout* layouts[] = {&to, &from};
    StridedCopy copy{plan_walk(layouts), memory, memory + 2048 + offset, size};
    enlarge_elements(copy);
    return copy.size;
  };
  EXPECT_EQ(size_with(2, 4, 0), 8);
  EXPECT_EQ(size_with(8, 1, 0), 8);
  EXPECT_EQ(size_with(2, 1, 6), 2);
  EXPECT_EQ(size_with(4, 1, 6), 1);
  EXPECT_EQ(size_with(2, 4, 4), 4);
  EXPECT_EQ(size_with(3, 2, 0), 2);
  EXPECT_EQ(size_with(2, 8, 0), 8);
  EXPECT_EQ(size_with(2, 2, 0, 2, 4), 4);
  EXPECT_EQ(size_with(2, 2, 0, 1, 2), 2);
  EXPECT_EQ(size_with(2, 2, 0, 2, 1), 2);
}

}  // namespace
}  // namespace napkin::cpu
