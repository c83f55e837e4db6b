// The reference against PyTorch: every recorded case of every operation (reference/*.py records
// them) that PyTorch did not refuse. Copies, choices, places and arithmetic to the bit; functions
// and sums within the units stated here.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/tensor/reference/reference.h"
#include "common/tensor/testing/close.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/within.h"

namespace napkin {
namespace {

namespace ref = reference;
using recorded::Case;
using recorded::Results;

// How near PyTorch's result the reference's must be, once it is rounded to the same dtype.
struct Nearness {
  enum { bits, function, units, sums } kind = bits;
  double count = 0, least = 0;  // so many units of the last place, or of that of `least`
};
constexpr Nearness exact{}, function{Nearness::function};
// PyTorch adds in FP32, or in FP64 where that is the dtype: 8 roundings of all that is added.
constexpr Nearness few_sums{Nearness::sums};
constexpr Nearness units(double count, double least = 0) { return {Nearness::units, count, least}; }

struct Line {
  std::string file, operation;
  std::function<Results(const Case&)> run;
  Nearness nearness = exact;
};

Input input(const Case& c, std::size_t k) {
  return c.is<Tensor>(k) ? Input(c.tensor(k)) : Input(c.number(k));
}

template <auto f>
Results one(const Case& c) {
  return f(input(c, 0));
}
template <auto f>
Results two(const Case& c) {
  return f(input(c, 0), input(c, 1));
}
template <auto f>
Results three(const Case& c) {
  return f(input(c, 0), input(c, 1), input(c, 2));
}
template <auto f>
Results scaled(const Case& c) {
  return f(input(c, 0), input(c, 1), c.number(2));
}
template <auto f>
Results over(const Case& c) {
  return f(c.tensor(0), c.get<Dims>(1), c.number(2).to_bool());
}
template <auto f>
Results place(const Case& c) {
  const Dims dims = c.is<Scalar>(1) ? Dims{c.integer(1)} : Dims{};
  return f(c.tensor(0), dims, c.number(2).to_bool());
}
template <auto f>
Results along(const Case& c) {
  return f(c.tensor(0), c.integer(1));
}
template <auto f>
Results by_position(const Case& c) {
  return f(c.tensor(0), c.integer(1), c.tensor(2));
}
template <auto f>
Results add_by_position(const Case& c) {
  return f(c.tensor(0), c.integer(1), c.tensor(2), c.tensor(3));
}
template <auto f>
Results joined(const Case& c) {
  return f(c.get<std::vector<Tensor>>(0), c.integer(1));
}

std::optional<Scalar> bound(const Case& c, std::size_t k) {
  return c.is<Scalar>(k) ? std::optional(c.number(k)) : std::nullopt;
}
Results pair(const Sorted& s) { return std::vector{s.values, s.indices}; }

// beta c + alpha a b; c is not read where beta is 0.
Tensor matmul_into(const Case& c) {
  const Tensor product = ref::mul(ref::matmul(c.tensor(1), c.tensor(2)), c.number(3));
  if (c.number(4) == Scalar(0)) return product;
  return ref::add(product, ref::copy(c.tensor(0), product.dtype()), c.number(4));
}

const std::vector<Line> lines = {
    {"elementwise", "add", two<[](Input a, Input b) { return ref::add(a, b); }>},
    {"elementwise", "sub", two<[](Input a, Input b) { return ref::sub(a, b); }>},
    {"elementwise", "mul", two<ref::mul>},
    {"elementwise", "div", two<ref::div>},
    {"elementwise", "neg", one<ref::neg>},
    {"elementwise", "eq", two<ref::eq>},
    {"elementwise", "add_scaled", scaled<ref::add>},
    {"elementwise", "sub_scaled", scaled<ref::sub>},
    {"elementwise", "to",
     [](const Case& c) { return ref::copy(c.tensor(0), dtype_named(c.get<std::string>(1))); }},
    {"elementwise", "copy",
     [](const Case& c) {
       return ref::copy(c.tensor(1).expand(c.tensor(0).shape()), c.tensor(0).dtype());
     }},
    {"elementwise", "sum", over<ref::sum>},
    {"functions", "exp", one<ref::exp>, function},
    {"functions", "log", one<ref::log>, function},
    {"functions", "sqrt", one<ref::sqrt>, function},
    {"functions", "rsqrt", one<ref::rsqrt>, function},
    {"functions", "tanh", one<ref::tanh>, function},
    {"functions", "sigmoid", one<ref::sigmoid>, function},
    {"functions", "gelu",
     [](const Case& c) {
       const bool is_tanh = c.get<std::string>(1) == "tanh";
       return is_tanh ? ref::gelu_tanh(input(c, 0)) : ref::gelu(input(c, 0));
     },
     function},
    {"functions", "abs", one<ref::abs>},
    {"functions", "sign", one<ref::sign>},
    {"functions", "relu", one<ref::relu>},
    {"functions", "ne", two<ref::ne>},
    {"functions", "lt", two<ref::lt>},
    {"functions", "le", two<ref::le>},
    {"functions", "gt", two<ref::gt>},
    {"functions", "ge", two<ref::ge>},
    {"functions", "maximum", two<ref::maximum>},
    {"functions", "minimum", two<ref::minimum>},
    {"functions", "where",
     [](const Case& c) { return ref::where(c.tensor(0), input(c, 1), input(c, 2)); }},
    {"functions", "clamp",
     [](const Case& c) { return ref::clamp(input(c, 0), bound(c, 1), bound(c, 2)); }},
    {"functions", "addcmul",
     [](const Case& c) {
       return ref::addcmul(input(c, 0), input(c, 1), input(c, 2), c.number(3));
     }},
    {"functions", "lerp", three<ref::lerp>},
    {"reductions", "mean", over<ref::mean>, units(1)},
    {"reductions", "prod", over<ref::prod>, units(1)},
    {"reductions", "amax", over<ref::max>, units(0)},  // either of two zeros
    {"reductions", "amin", over<ref::min>, units(0)},
    {"reductions", "argmax", place<ref::argmax>},
    {"reductions", "argmin", place<ref::argmin>},
    {"reductions", "var",
     [](const Case& c) {
       return ref::var(c.tensor(0), c.get<Dims>(1), c.number(2).to_double(), c.number(3).to_bool());
     },
     units(4)},
    {"reductions", "norm",
     [](const Case& c) {
       return ref::norm(c.tensor(0), c.number(1).to_double(), c.get<Dims>(2),
                        c.number(3).to_bool());
     },
     units(4)},
    {"rows", "softmax", along<ref::softmax>, units(40)},
    {"rows", "log_softmax", along<ref::log_softmax>, units(40, 1)},
    {"rows", "cumsum", along<ref::cumsum>, units(0)},
    {"products", "matmul", [](const Case& c) { return ref::matmul(c.tensor(0), c.tensor(1)); },
     units(0)},
    {"products", "matmul_into", matmul_into, units(0)},
    {"indexing", "index_select", by_position<ref::index_select>},
    {"indexing", "gather", by_position<ref::gather>},
    {"indexing", "scatter_add", add_by_position<ref::scatter_add>, few_sums},
    {"indexing", "index_add", add_by_position<ref::index_add>, few_sums},
    {"ordering", "cat", joined<ref::cat>},
    {"ordering", "stack", joined<ref::stack>},
    {"ordering", "sort",
     [](const Case& c) {
       return pair(ref::sort(c.tensor(0), c.integer(1), c.number(2).to_bool()));
     }},
    {"ordering", "topk",
     [](const Case& c) {
       return pair(ref::topk(c.tensor(0), c.integer(1), c.integer(2), c.number(3).to_bool()));
     }},
};

Tensor sum_of_magnitudes(const Line& line, Case c) {
  for (const std::size_t k : {0U, 3U}) c.arguments[k] = ref::abs(c.tensor(k));
  return line.run(c).at(0);
}

std::string wrong(const Line& line, const Case& c, const Tensor& result,
                  const recorded::Result& r) {
  const DType dtype = r.elements.dtype();
  const Tensor got = ref::copy(result, dtype), want = r.elements.view(r.shape);
  const Nearness& near = line.nearness;
  if (near.kind == Nearness::function) return recorded::not_close(got, r, line.operation, false);
  if (near.kind == Nearness::units) return beyond(got, want, near.count, near.least);
  if (near.kind == Nearness::bits || !is_floating(dtype)) return recorded::difference(got, want);
  const double u = dtype == DType::fp64 ? 0x1p-53 : 0x1p-24;
  return beyond_bound(got, want, ref::mul(sum_of_magnitudes(line, c), Scalar(8 * u)));
}

// In place, PyTorch's result is the first argument's whole storage.
recorded::Result seen_as(const Tensor& x, const recorded::Result& storage) {
  const Tensor view = storage.elements.as_strided(x.shape(), x.strides(), x.offset());
  return {view.contiguous(), x.shape(), x.strides()};
}

TEST(Reference, GivesWhatPyTorchGives) {
  std::map<std::string, int> checked;
  for (const Line& line : lines)
    for (const std::string suffix : {"", "_"})
      for (const Case& c : recorded::cases(line.file, {line.operation + suffix})) {
        if (c.refused) continue;
        const Results got = line.run(c);
        ASSERT_EQ(got.size(), c.results.size()) << c.text;
        for (std::size_t k = 0; k < got.size(); ++k) {
          const bool in_place = suffix == "_";
          const auto want = in_place ? seen_as(c.tensor(0), c.results[k]) : c.results[k];
          EXPECT_EQ(wrong(line, c, got[k], want), "") << c.text;
        }
        ++checked[line.file];
      }
  for (const auto& [file, count] : checked)
    EXPECT_EQ(count, std::ranges::count(recorded::cases(file), false, &Case::refused)) << file;
  EXPECT_EQ(checked.size(), 7);
}

}  // namespace
}  // namespace napkin
