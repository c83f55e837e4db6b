// What a known pattern costs beside its matrix product: no memory of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "common/einops/einsum.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/matmul.h"

static thread_local int taken = 0;

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++taken;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace napkin {
namespace {

template <class Call>
int allocations(Call call) {
  for (int warm = 0; warm < 2; ++warm) call();
  const int before = taken;
  call();
  return taken - before;
}

TEST(EinsumCost, KnownPatternsTakeNoMemoryBesideTheResult) {
  const Tensor a = ones({3, 4}), b = ones({4, 5}), q = ones({2, 3, 7, 4}), k = ones({2, 3, 6, 4});
  const int one = allocations([&] { matmul(a, b); });
  ASSERT_GT(one, 0);
  EXPECT_EQ(allocations([&] { einsum(a, b, "i k, k j -> i j"); }), one);
  EXPECT_EQ(allocations([&] { einsum(a, b, "i k, k j -> j i"); }), one);
  EXPECT_EQ(allocations([&] { einsum(q, k, "b h q d, b h k d -> b h q k"); }), one);
  EXPECT_EQ(allocations([&] { einsum(q, b, "b h q d, d e -> b h q e"); }), one);
}

}  // namespace
}  // namespace napkin
