// The pool, copies between computer and GPU, and the GPU's clock.
#include "common/gpu/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "common/core/error.h"
#include "common/gpu/copy.h"
#include "common/gpu/runtime.h"
#include "common/gpu/stream.h"
#include "common/gpu/timer.h"

namespace napkin::gpu {
namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

class GpuMemory : public testing::Test {
  void SetUp() override {
    if (!available()) GTEST_SKIP() << why_unavailable();
  }
};

std::vector<std::int32_t> counted(std::int64_t count) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

TEST_F(GpuMemory, WhatIsGivenBackIsTakenAgainWithoutTheSystem) {
  give_memory(take_memory(8 * mib), 8 * mib);
  const std::int64_t reserved = memory_use().reserved;
  EXPECT_GE(reserved, 8 * mib);
  std::byte* again = take_memory(8 * mib);
  EXPECT_EQ(memory_use().reserved, reserved);
  EXPECT_GE(memory_use().used, 8 * mib);
  give_memory(again, 8 * mib);
  release_cached_memory();
  EXPECT_LT(memory_use().reserved, reserved);
}

TEST_F(GpuMemory, TooMuchIsRefusedInASentenceAndTheRestStillWorks) {
  for (const std::int64_t bytes : {std::int64_t{1} << 45, std::int64_t{1} << 62}) {
    try {
      take_memory(bytes);
      FAIL() << "no GPU has " << bytes << " bytes";
    } catch (const Error& error) {
      const std::string sentence = error.what();
      EXPECT_EQ(sentence.find("out of memory on the GPU: a tensor of "), 0u) << sentence;
      EXPECT_NE(sentence.find(std::to_string(bytes) + " bytes"), std::string::npos) << sentence;
    }
    std::byte* some = take_memory(mib);
    EXPECT_NO_THROW(fill_bytes(some, 0, mib));
    EXPECT_NO_THROW(synchronize());
    give_memory(some, mib);
  }
}

TEST_F(GpuMemory, BytesComeBackAsTheyWent) {
  const std::vector<std::int32_t> sent = counted(1'000'003);
  const std::int64_t bytes = std::ssize(sent) * 4;
  std::byte* first = take_memory(bytes);
  std::byte* second = take_memory(bytes);
  copy_to_gpu(first, sent.data(), bytes);
  copy_on_gpu(second, first, bytes);
  std::vector<std::int32_t> got(sent.size());
  copy_to_host(got.data(), second, bytes);
  EXPECT_EQ(got, sent);
  fill_bytes(second + 4, 0xff, 8);
  copy_to_host(got.data(), second, bytes);
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(got[1], -1);
  EXPECT_EQ(got[2], -1);
  EXPECT_EQ(got[3], 4);
  give_memory(first, bytes);
  give_memory(second, bytes);
}

TEST_F(GpuMemory, PinnedMemoryIsCopiedInTheStreamsOrder) {
  const std::vector<std::int32_t> sent = counted(100'001);
  const std::int64_t bytes = std::ssize(sent) * 4;
  PinnedMemory out(bytes), in(bytes);
  std::memcpy(out.data(), sent.data(), static_cast<std::size_t>(bytes));
  std::byte* there = take_memory(bytes);
  out.copy_to(there, bytes);
  in.copy_from(there, bytes);
  synchronize();
  EXPECT_EQ(std::memcmp(in.data(), out.data(), static_cast<std::size_t>(bytes)), 0);
  EXPECT_THROW(out.copy_to(there, bytes + 1), Error);
  give_memory(there, bytes);
}

TEST_F(GpuMemory, TheClockSeesTheWorkAndNotOnlyTheAsking) {
  const std::int64_t bytes = 256 * mib;
  std::byte* memory = take_memory(bytes);
  const double few = best_seconds(3, 1, [&] { fill_bytes(memory, 1, bytes / 256); });
  const double many = best_seconds(3, 1, [&] { fill_bytes(memory, 1, bytes); });
  EXPECT_GT(few, 0);
  EXPECT_GT(many, 2 * few);
  give_memory(memory, bytes);
}

}  // namespace
}  // namespace napkin::gpu
