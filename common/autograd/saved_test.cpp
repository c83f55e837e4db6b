// What functions keep for their gradients, and what observers hear of it.
#include "common/autograd/saved.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "common/autograd/functions.h"
#include "common/core/observer.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"

namespace napkin::autograd {
namespace {

class SavedBytes : public Observer {
 public:
  void on(const SavedEvent& event) override {
    references += event.bytes;
    std::int64_t& count = counts_[event.storage];
    count += event.bytes > 0 ? 1 : -1;
    if (count == (event.bytes > 0 ? 1 : 0)) storages += event.bytes;
  }
  std::int64_t references = 0;  // each time one is saved
  std::int64_t storages = 0;    // each storage once

 private:
  std::map<const void*, std::int64_t> counts_;
};

// Lecture 7.2: 4 layers of a product and ReLU, batch 8, width 16, FP32.
TEST(Saved, ActivationsAreCountedOnceForEachStorage) {
  std::vector<Variable> weights;
  for (int i = 0; i < 4; ++i) weights.emplace_back(randn({16, 16}), true);
  SavedBytes saved;
  Variable y(randn({8, 16}), true);
  for (const Variable& w : weights) y = relu(matmul(y, w));
  constexpr std::int64_t weight = 16 * 16 * 4, activation = 8 * 16 * 4;
  EXPECT_EQ(saved.storages, 4 * weight + (4 + 1) * activation);
  EXPECT_EQ(saved.references, 4 * weight + (4 + 4) * activation);
  sum(y).backward();
  EXPECT_EQ(saved.storages, 0);
  EXPECT_EQ(saved.references, 0);
}

TEST(Saved, NothingIsSavedForGradientsThatNobodyWants) {
  SavedBytes saved;
  const Variable x(ones({8, 5})), w(ones({5, 7}), true);
  const Variable y = matmul(x, w);
  EXPECT_EQ(saved.storages, 8 * 5 * 4);  // x, for w; w is not saved
}

TEST(Saved, HooksDecideHowItIsKept) {
  int packed = 0, unpacked = 0;
  const Variable x(from_data({1.0, 2.0}), true), w(from_data({3.0, 4.0}), true);
  Variable y;
  {
    const SavedTensorHook hook([&](const Tensor& kept) -> std::function<Tensor()> {
      ++packed;
      const Tensor small = kept.to(DType::fp32);
      return [&unpacked, small] {
        ++unpacked;
        return small.to(DType::fp64);
      };
    });
    y = x * w;
  }
  EXPECT_EQ(packed, 2);
  sum(y).backward();
  EXPECT_EQ(unpacked, 2);
  EXPECT_EQ(x.grad().to_vector<double>(), (std::vector<double>{3, 4}));
}

}  // namespace
}  // namespace napkin::autograd
