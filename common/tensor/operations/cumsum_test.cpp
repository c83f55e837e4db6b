// Cumulative sums against PyTorch's (reference/reductions.py), to the bit.
#include "common/tensor/operations/cumsum.h"

#include <gtest/gtest.h>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::difference;

TEST(CumulativeSum, IsPyTorchs) {
  const recorded::Verdict verdict = recorded::compare(
      "rows",
      {{"cumsum", [](const recorded::Case& c) { return cumsum(c.tensor(0), c.integer(1)); }}});
  EXPECT_EQ(verdict.wrong, std::vector<std::string>());
  EXPECT_GT(verdict.checked, 300);
}

// fp32 is added up in FP64: 2^24 + 1 + 1 is not stuck at 2^24. Halves are added up in FP32.
TEST(CumulativeSum, IsAddedUpInTheWiderType) {
  EXPECT_EQ(cumsum(from_data<float>({0x1p24f, 1, 1}), 0).at({2}), Scalar(0x1p24 + 2));
  EXPECT_EQ(cumsum(ones({512}, {.dtype = DType::bf16}), 0).at({511}), Scalar(512.0));
  EXPECT_EQ(cumsum(ones({300}, {.dtype = DType::uint8}), 0).at({299}), Scalar(300));
}

// Whatever is cut where: one line is the sum of its elements so far.
TEST(CumulativeSum, EveryLayoutAndSizeGivesTheSumSoFar) {
  const int before = threads();
  Generator g(4);
  const Tensor x = randn({37, 5, 1300}, {}, g);
  for (const Tensor& view : {x, x.permute({2, 1, 0}), x.slice(2, 1, 1200, 3), x.to(DType::bf16),
                             x.to(DType::fp16).transpose(0, 2), x.to(DType::fp64)})
    for (const int d : {0, 1, 2}) {
      set_threads(1);
      const Tensor want = cumsum(view, d);
      const Tensor line = want.transpose(d, 2)[want.transpose(d, 2).size(0) - 1][2];
      const Tensor from = view.transpose(d, 2)[want.transpose(d, 2).size(0) - 1][2];
      double so_far = 0;
      float so_far_in_fp32 = 0;
      for (std::int64_t i = 0; i < line.size(0); ++i) {
        so_far += from.at({i}).to_double();
        so_far_in_fp32 += static_cast<float>(from.at({i}).to_double());
        const bool is_half = size_of(view.dtype()) == 2;
        const Tensor exact = from_data<double>({is_half ? double{so_far_in_fp32} : so_far});
        ASSERT_EQ(difference(line.slice(0, i, i + 1), exact.to(view.dtype())), "") << d << " " << i;
      }
      for (const std::string& level : cpu::levels())
        for (const int team : {1, 2, 8}) {
          const cpu::ForcedLevel forced(level);
          set_threads(team);
          ASSERT_EQ(difference(cumsum(view, d), want), "") << level << " " << team;
        }
    }
  set_threads(before);
}

TEST(CumulativeSum, ObserversAndMeta) {
  struct Recorder : Observer {
    std::vector<OperationEvent> events;
    void on(const OperationEvent& e) override { events.push_back(e); }
  };
  const Tensor x = zeros({10, 20}),
               meta = zeros({10, 20}, {.dtype = DType::uint8, .device = Device::meta});
  Recorder heard;
  cumsum(x, 1);
  const Tensor y = cumsum(meta, -2);
  ASSERT_EQ(heard.events.size(), 2u);
  EXPECT_EQ(heard.events[0].flops, 190);
  EXPECT_EQ(heard.events[0].bytes_read, 800);
  EXPECT_EQ(heard.events[0].bytes_written, 800);
  EXPECT_EQ(heard.events[1].flops, 180);
  EXPECT_EQ(y.dtype(), DType::int64);
  EXPECT_EQ(y.shape(), x.shape());
}

}  // namespace
}  // namespace napkin
