// Storages and the memory behind them: what is taken, reused, refused, and told to observers.
#include "common/tensor/storage.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "common/core/host_memory.h"
#include "common/core/memory_limit.h"
#include "common/gpu/runtime.h"
#include "common/io/testing/temporary_folder.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

using io::refusal;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_memory = false;
#else
constexpr bool keeps_memory = true;
#endif

TEST(Storage, StartsACacheLineAtAnySize) {
  for (const std::int64_t bytes : {1, 63, 64, 65, 511, 513, 4096, 100000, 3 << 20, 70 << 20}) {
    const Storage s(bytes, Device::cpu);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s.data()) % 64, 0u);
    std::memset(s.data(), 1, static_cast<std::size_t>(bytes));  // all of it is there
  }
}

TEST(Storage, ZeroBytesAndMetaTakeNothing) {
  struct Recorder : Observer {
    int events = 0;
    void on(const AllocationEvent&) override { ++events; }
  } heard;
  const Storage none(0, Device::cpu), meta(std::int64_t{1} << 62, Device::meta);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(meta.data(), nullptr);
  EXPECT_EQ(meta.allocated_bytes(), 0);
  EXPECT_EQ(meta.bytes(), std::int64_t{1} << 62);
  EXPECT_EQ(heard.events, 0);
}

TEST(Storage, ObserversHearWhatIsTakenAndGivenBack) {
  struct Recorder : Observer {
    std::vector<AllocationEvent> events;
    void on(const AllocationEvent& e) override { events.push_back(e); }
  } heard;
  { const Storage s(1000, Device::cpu, Category::gradient); }
  ASSERT_EQ(heard.events.size(), 2u);
  EXPECT_EQ(heard.events[0].bytes, 1000);
  EXPECT_EQ(heard.events[1].bytes, -1000);
  EXPECT_EQ(heard.events[0].storage, heard.events[1].storage);
  EXPECT_EQ(heard.events[0].category, Category::gradient);
}

// Far beyond any machine, and beyond this one: a sentence, at once, and everything still works.
TEST(Storage, WhatDoesNotFitIsRefusedWithASentence) {
  const std::int64_t more = memory_limit().total / 2 * 3;
  for (const std::int64_t bytes : {std::int64_t{1} << 62, std::int64_t{1} << 60, more}) {
    const std::string sentence = refusal([&] { Storage(bytes, Device::cpu); });
    EXPECT_NE(sentence.find("out of memory"), std::string::npos) << sentence;
  }
  EXPECT_THROW(Storage(-1, Device::cpu), Error);
  EXPECT_NE(
      refusal([] { Storage(4, Device::cuda); }).find("device cuda: " + gpu::why_unavailable()),
      std::string::npos);
  EXPECT_NE(refusal([] {
              zeros({std::int64_t{1} << 40, 4});
            }).find("out of memory"),
            std::string::npos);
  EXPECT_EQ(ones({3}).at({2}), Scalar(1));
}

// Promises are not added up beyond what the machine has, though nobody has touched them yet.
TEST(Storage, PromisesAreCounted) {
  if (!keeps_memory) GTEST_SKIP() << "AddressSanitizer touches an eighth of it";
  const MemoryLimit limit = memory_limit();
  const std::int64_t part = limit.available / 3;
  std::vector<std::unique_ptr<Storage>> untouched;
  const std::string sentence = refusal([&] {
    for (int i = 0; i < 20; ++i) untouched.push_back(std::make_unique<Storage>(part, Device::cpu));
  });
  EXPECT_NE(sentence.find("out of memory"), std::string::npos) << sentence;
  EXPECT_LE(static_cast<std::int64_t>(untouched.size()) * part, limit.total);
}

// Control groups, as containers have them: the tightest of all groups around the process counts.
TEST(MemoryLimit, ContainersAreHeeded) {
  const io::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    io::put(path, text);
  };
  const auto expect = [&](std::int64_t total, std::int64_t available) {
    const MemoryLimit limit = memory_limit_under(folder / "");
    EXPECT_EQ(limit.total, total);
    EXPECT_EQ(limit.available, available);
  };
  expect(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max());
  write("proc/meminfo",
        "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  800 kB\nSwapFree: 0 kB\n");
  expect(1000 << 10, 800 << 10);
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  expect(1000 << 10, 800 << 10);
  write("sys/fs/cgroup/outer/memory.max", "500000\n");
  write("sys/fs/cgroup/outer/memory.current", "300000\n");
  write("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 100000\nactive_file 7\n");
  expect(500000, 300000);
  write("proc/self/cgroup", "4:cpu,memory:/only/the/host/sees/this\n1:name=systemd:/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "400000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "150000\n");
  expect(400000, 250000);
}

// A limit on the address space, as schedulers of shared machines set it, ends in a sentence too.
TEST(Storage, AddressSpaceLimit) {
  if (!keeps_memory) GTEST_SKIP() << "AddressSanitizer needs the address space";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{std::size_t{1} << 31, std::size_t{1} << 31};
    setrlimit(RLIMIT_AS, &limit);
    const std::string sentence = refusal([] { Storage(std::int64_t{3} << 30, Device::cpu); });
    _exit(sentence.find("out of memory") != std::string::npos ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Storage, MemoryIsReusedAndReleased) {
  if (!keeps_memory) GTEST_SKIP() << "AddressSanitizer sees every block freed";
  release_cached_memory();
  EXPECT_EQ(host::cached_memory(), 0);
  for (const std::int64_t bytes : {100, 5000, 10 << 20}) {
    const std::byte* first = Storage(bytes, Device::cpu).data();
    EXPECT_GE(host::cached_memory(), bytes);
    EXPECT_EQ(Storage(bytes, Device::cpu).data(), first);
    EXPECT_EQ(Storage(bytes - bytes / 100, Device::cpu).data(), first);  // nearly the same size
    release_cached_memory();
    EXPECT_EQ(host::cached_memory(), 0);
  }
}

TEST(Storage, TheCacheIsBounded) {
  if (!keeps_memory) GTEST_SKIP() << "nothing is kept";
  const std::int64_t most = memory_limit().total / 4;
  const std::int64_t part = most / 10;
  {
    std::vector<std::unique_ptr<Storage>> all;
    for (int i = 0; i < 12; ++i) all.push_back(std::make_unique<Storage>(part, Device::cpu));
  }
  EXPECT_LE(host::cached_memory(), most);
  release_cached_memory();
}

TEST(Storage, ThreadsTakeAndGiveAtTheSameTime) {
  std::vector<std::thread> team;
  for (int t = 0; t < 4; ++t)
    team.emplace_back([t] {
      std::vector<std::unique_ptr<Storage>> mine;
      for (int i = 0; i < 2000; ++i) {
        mine.push_back(std::make_unique<Storage>(1 + i * 37 % 5000, Device::cpu));
        std::memset(mine.back()->data(), t, static_cast<std::size_t>(mine.back()->bytes()));
        if (i % 3 == 0) mine.erase(mine.begin() + i % static_cast<int>(mine.size()));
      }
      for (const auto& s : mine)
        for (std::int64_t b = 0; b < s->bytes(); b += 61)
          ASSERT_EQ(s->data()[b], static_cast<std::byte>(t));
    });
  for (std::thread& t : team) t.join();
}

}  // namespace
}  // namespace napkin
