#include "common/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
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

TEST(Parallel, ImpossibleThreadCountsAreRefused) {
  EXPECT_THROW(set_threads(0), Error);
  EXPECT_THROW(set_threads(-1), Error);
  EXPECT_THROW(set_threads(1025), Error);
}

}  // namespace
}  // namespace napkin
