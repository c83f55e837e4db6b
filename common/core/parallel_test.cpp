#include "common/core/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "common/core/error.h"

namespace napkin {
namespace {

// Puts the number of threads back at the end of a test.
struct ThreadsRestored {
  int before = threads();
  ~ThreadsRestored() { set_threads(before); }
};

TEST(Parallel, EveryIndexIsVisitedOnceAtAnyNumberOfThreads) {
  const ThreadsRestored restored;
  for (const int team : {1, 2, 3, 8}) {
    set_threads(team);
    for (const std::int64_t count : {0, 1, 7, 64, 1001}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
      parallel_for(count, 10, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      for (const auto& v : visits) EXPECT_EQ(v, 1);
    }
  }
}

TEST(Parallel, PiecesStartAtMultiplesOfTheGrain) {
  const ThreadsRestored restored;
  set_threads(3);
  std::atomic<bool> right = true;
  parallel_for(1000, 64, [&](std::int64_t first, std::int64_t) {
    if (first % 64 != 0) right = false;
  });
  EXPECT_TRUE(right);
}

TEST(Parallel, AnExceptionOfAPieceReachesTheCaller) {
  const ThreadsRestored restored;
  set_threads(2);
  EXPECT_THROW(parallel_for(100, 1,
                            [](std::int64_t first, std::int64_t) {
                              if (first == 0) fail("piece {}", first);
                            }),
               Error);
}

TEST(Parallel, ManyShortLoopsInARowLoseNothing) {
  const ThreadsRestored restored;
  for (const int team : {2, 3, 8}) {
    set_threads(team);
    std::int64_t sum = 0;
    for (int loop = 0; loop < 20000; ++loop) {
      std::array<std::int64_t, 4> seen{};  // on this stack: a late thread would write into ruins
      parallel_for(4, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) seen[static_cast<std::size_t>(i)] = 1;
      });
      sum += seen[0] + seen[1] + seen[2] + seen[3];
    }
    EXPECT_EQ(sum, 80000);
  }
}

TEST(Parallel, LoopsInsideAndBesideLoopsRunOnTheirOwnThread) {
  const ThreadsRestored restored;
  set_threads(4);
  std::atomic<std::int64_t> visits = 0;
  const auto work = [&] {
    for (int round = 0; round < 100; ++round)
      parallel_for(8, 1, [&](std::int64_t first, std::int64_t last) {
        parallel_for(last - first, 1, [&](std::int64_t a, std::int64_t b) { visits += b - a; });
      });
  };
  std::thread beside(work);
  work();
  beside.join();
  EXPECT_EQ(visits, 1600);
}

TEST(Parallel, AForkedProcessRunsLoopsWithoutTheThreadsOfItsParent) {
  const ThreadsRestored restored;
  set_threads(4);
  const pid_t child = fork();  // takes along the calling thread only
  if (child == 0) {
    std::int64_t visits = 0;
    parallel_for(8, 1, [&](std::int64_t first, std::int64_t last) { visits += last - first; });
    _exit(visits == 8 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Parallel, ThreadsAreNotChangedInsideALoop) {
  const ThreadsRestored restored;
  set_threads(2);
  EXPECT_THROW(parallel_for(8, 1, [](std::int64_t, std::int64_t) { set_threads(3); }), Error);
}

TEST(Parallel, ImpossibleThreadCountsAreRefused) {
  EXPECT_THROW(set_threads(0), Error);
  EXPECT_THROW(set_threads(-1), Error);
  EXPECT_THROW(set_threads(1025), Error);
}

}  // namespace
}  // namespace napkin
