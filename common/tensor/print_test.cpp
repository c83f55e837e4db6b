// Printing against PyTorch's print, as recorded by reference/printing.py.
#include "common/tensor/print.h"

#include <gtest/gtest.h>

#include "common/tensor/create.h"
#include "common/tensor/testing/recorded.h"

namespace napkin {
namespace {

Tensor tensor_of(const recorded::Printed& printed) {
  const Shape shape = recorded::dims(printed.shape);
  Tensor x = from_data(printed.values, shape);
  // Integers reach small dtypes modulo 2^bits, floating numbers would be cut to their range.
  if (!is_floating(printed.dtype)) x = x.to(DType::int64);
  x = x.to(printed.dtype).to(printed.device);
  for (const recorded::Step& step : printed.steps) x = apply(x, step);
  return x;
}

TEST(Print, TextIsThatOfPyTorch) {
  const std::vector<recorded::Printed> all = recorded::printing();
  EXPECT_GT(all.size(), 700u);
  for (const recorded::Printed& printed : all)
    EXPECT_EQ(to_string(tensor_of(printed)), printed.text)
        << name(printed.dtype) << " of shape " << to_string(recorded::dims(printed.shape));
}

TEST(Print, UndefinedTensorsAreNamed) { EXPECT_EQ(to_string(Tensor()), "tensor(undefined)"); }

TEST(Print, ABillionShownElementsAreLeftOut) {
  const Tensor x = zeros({1}).expand(Shape(12, 6));
  EXPECT_EQ(to_string(x), "tensor(..., size=(6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6))");
}

}  // namespace
}  // namespace napkin
