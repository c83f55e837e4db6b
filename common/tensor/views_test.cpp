// Views against PyTorch's, as recorded by reference/views.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/core/joined.h"
#include "common/tensor/create.h"
#include "common/tensor/order.h"
#include "common/tensor/testing/recorded.h"

namespace napkin {
namespace {

using recorded::dims;

std::string described(const recorded::Chain& chain) {
  return fmt::format("arange of shape [{}]:{}", joined(chain.shape, ", "), to_string(chain.steps));
}

Tensor base_of(const recorded::Chain& chain, Device device) {
  const Shape shape = dims(chain.shape);
  const std::int64_t elements = std::max<std::int64_t>(1, count_elements(shape));
  return arange(elements, {.dtype = DType::int64, .device = device})
      .as_strided(shape, contiguous_strides(shape), 0);
}

// All steps but the last, which nobody refuses.
Tensor before_last(const recorded::Chain& chain, Tensor x) {
  for (std::size_t i = 0; i + 1 < chain.steps.size(); ++i) x = apply(x, chain.steps[i]);
  return x;
}

void expect_equal_layout(const Tensor& x, const recorded::View& view) {
  EXPECT_EQ(x.shape(), dims(view.shape));
  EXPECT_EQ(x.strides(), dims(view.strides));
  EXPECT_EQ(x.offset(), view.offset);
  EXPECT_EQ(x.is_contiguous(), view.contiguous);
  EXPECT_EQ(is_dense(x.layout()), view.dense);
  EXPECT_EQ(strides_like(x.layout()), dims(view.like));
}

TEST(Views, ShapesStridesOffsetsAndElementsAreThoseOfPyTorch) {
  int checked = 0;
  for (const recorded::Chain& chain : recorded::views()) {
    if (!chain.result) continue;
    SCOPED_TRACE(described(chain));
    const Tensor base = base_of(chain, Device::cpu);
    const Tensor x = apply(before_last(chain, base), chain.steps.back());
    expect_equal_layout(x, *chain.result);
    EXPECT_EQ(x.shares_storage(base), chain.result->shares);
    EXPECT_EQ(x.to_vector<std::int64_t>(), chain.result->data);
    ++checked;
  }
  EXPECT_GT(checked, 1000);
}

TEST(Views, MetaTensorsHaveTheSameViews) {
  for (const recorded::Chain& chain : recorded::views()) {
    if (!chain.result) continue;
    SCOPED_TRACE(described(chain));
    const Tensor base = base_of(chain, Device::meta);
    expect_equal_layout(apply(before_last(chain, base), chain.steps.back()), *chain.result);
  }
}

TEST(Views, WhatPyTorchRefusesIsRefusedAndTheTensorStaysAsItWas) {
  int checked = 0;
  for (const recorded::Chain& chain : recorded::views()) {
    if (chain.result) continue;
    SCOPED_TRACE(described(chain));
    const Tensor x = before_last(chain, base_of(chain, Device::cpu));
    const Layout before = x.layout();
    EXPECT_THROW(apply(x, chain.steps.back()), Error);
    EXPECT_EQ(x.shape(), before.shape);
    EXPECT_EQ(x.strides(), before.strides);
    EXPECT_EQ(x.offset(), before.offset);
    ++checked;
  }
  EXPECT_GT(checked, 250);
}

}  // namespace
}  // namespace napkin
