// Copies, fills and creation on the GPU, against those of the CPU.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/gpu/runtime.h"
#include "common/tensor/create.h"
#include "common/tensor/file.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/order.h"
#include "common/tensor/print.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::difference;

class GpuCopy : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

Tensor counted(const Shape& shape, DType dtype) {
  return arange(count_elements(shape), {.dtype = DType::fp32}).view(shape).to(dtype);
}

std::vector<Tensor> views_of(const Tensor& x) {  // of shape {6, 70, 40}
  return {x,
          x.transpose(1, 2),
          x.transpose(0, 2),
          x.permute({1, 2, 0}),
          x.slice(2, 1, 39),
          x.slice(2, 3, 40, 3),
          x.slice(1, 1, 2).expand({6, 5, 40}),
          x.flatten().slice(0, 1, 16001),
          x.flatten().slice(0, 3),
          x.select(0, 5),
          x[0][0][1],
          x.slice(0, 3, 3)};
}

TEST_F(GpuCopy, ViewsAndConversionsAreTheCpus) {
  for (const DType from : all_dtypes) {
    const Tensor here = counted({6, 70, 40}, from);
    const std::vector<Tensor> cpu = views_of(here), gpu = views_of(here.to(Device::cuda));
    for (std::size_t v = 0; v < cpu.size(); ++v)
      for (const DType to : all_dtypes) {
        SCOPED_TRACE(fmt::format("{} to {}, view {}", name(from), name(to), v));
        const Tensor got = gpu[v].to(to), want = cpu[v].to(to);
        EXPECT_EQ(got.device(), Device::cuda);
        EXPECT_EQ(to_string(got.strides()), to_string(want.strides()));
        EXPECT_EQ(difference(got.to(Device::cpu), want), "");
        EXPECT_EQ(difference(gpu[v].contiguous().to(Device::cpu), cpu[v].contiguous()), "");
        Tensor into = zeros(cpu[v].shape(), {.dtype = to, .device = Device::cuda});
        into.copy_(cpu[v]);
        EXPECT_EQ(difference(into.to(Device::cpu), want), "");
      }
  }
}

TEST_F(GpuCopy, StridesAreKeptOnTheWayThereAndBack) {
  const Tensor x = counted({6, 70, 40}, DType::fp32);
  for (const Tensor& view : views_of(x)) {
    const Tensor there = view.to(Device::cuda), back = there.to(Device::cpu);
    EXPECT_EQ(to_string(there.strides()), to_string(strides_like(view.layout())));
    EXPECT_EQ(to_string(back.strides()), to_string(there.strides()));
    EXPECT_EQ(difference(back, view), "");
  }
  EXPECT_TRUE(x.to(Device::cuda).to(Device::cuda).defined());
  EXPECT_EQ(x.to(Device::cuda).to(Device::meta).shape(), x.shape());
  EXPECT_THROW(x.to(Device::meta).to(Device::cuda), Error);
}

TEST_F(GpuCopy, ViewsOfEveryOffsetAreFilledAndCopied) {
  for (const DType dtype : all_dtypes)
    for (std::int64_t offset = 0; offset < 17; ++offset) {
      const Tensor here = zeros({1000}, {.dtype = dtype}), there = here.to(Device::cuda);
      Tensor h = here.slice(0, offset, 900), t = there.slice(0, offset, 900);
      h.fill_(1);
      t.fill_(1);
      EXPECT_EQ(difference(there.to(Device::cpu), here), "") << name(dtype) << " " << offset;
      h = here.slice(0, 0, 300).view({30, 10}).slice(1, 1, 9);
      t = there.slice(0, 0, 300).view({30, 10}).slice(1, 1, 9);
      h.fill_(3);
      t.fill_(3);
      EXPECT_EQ(difference(there.to(Device::cpu), here), "") << name(dtype) << " " << offset;
      Tensor to = zeros({1000}, {.dtype = dtype, .device = Device::cuda}).slice(0, 1);
      to.copy_(there.slice(0, offset, offset + 1).expand({999}));
      EXPECT_EQ(to[998].item(), here[offset].item());
    }
}

TEST_F(GpuCopy, ElementsAreReadFromThere) {
  const Tensor x = counted({3, 4}, DType::fp32).to(Device::cuda);
  EXPECT_EQ(x.at({1, 2}), Scalar(6.0));
  EXPECT_EQ(x[2][3].item(), Scalar(11.0));
  EXPECT_EQ(x.t().to_vector<int>(), (std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  std::string text = to_string(x.to(Device::cpu));
  text.pop_back();
  EXPECT_EQ(to_string(x), text + ", device=cuda)");
}

TEST_F(GpuCopy, NewTensorsAreTheCpus) {
  const Options cuda{.device = Device::cuda, .category = Category::parameter};
  EXPECT_EQ(difference(ones({3, 5}, cuda).to(Device::cpu), ones({3, 5})), "");
  EXPECT_EQ(difference(full({7}, 2.5, cuda).to(Device::cpu), full({7}, 2.5)), "");
  EXPECT_EQ(difference(arange(0, 3, 0.25, cuda).to(Device::cpu), arange(0, 3, 0.25, {})), "");
  EXPECT_EQ(arange(5, cuda).storage()->category(), Category::parameter);
  Generator here(7), there(7);
  EXPECT_EQ(difference(randn({1001}, cuda, there).to(Device::cpu), randn({1001}, {}, here)), "");
}

TEST_F(GpuCopy, TooMuchIsRefusedAndWhatIsThereStays) {
  const Tensor x = ones({5}, {.device = Device::cuda});
  EXPECT_THROW(empty({std::int64_t{1} << 40}, {.device = Device::cuda}), Error);
  EXPECT_EQ(x.to_vector<float>(), std::vector<float>(5, 1));
  EXPECT_EQ(ones({5}).to_vector<float>(), std::vector<float>(5, 1));
  release_cached_memory();
  EXPECT_EQ(x.to_vector<float>(), std::vector<float>(5, 1));
}

}  // namespace
}  // namespace napkin
