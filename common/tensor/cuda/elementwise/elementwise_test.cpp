// The kernels of elementwise operations on the host, against the loops of the CPU: every rule, with
// operands of many layouts, places and dtypes.
#include "common/tensor/cuda/elementwise/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "common/tensor/cpu/elementwise/elementwise.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/elementwise/elementwise_launch.h"
#include "common/tensor/cuda/host_engine.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin::cuda {
namespace {

using recorded::difference;

// Numbers of all kinds, with the edges that the dtype has.
Tensor strip_of(DType dtype) {
  static std::map<DType, Tensor> strips;
  if (strips.contains(dtype)) return strips[dtype];
  Generator g(11);
  Tensor x = randn({1024}, {.dtype = DType::fp64}, g);
  x.mul_(is_floating(dtype) ? 3 : 50);
  if (dtype == DType::boolean) x = (x * 0.02).to(DType::int64).to(DType::fp64);
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> edges = {0.0, -0.0, 1, -1, 0.5, inf, -inf, std::nan(""), 65504, 1e-40};
  for (std::int64_t i = 0; i < 100; ++i)
    if (is_floating(dtype))
      x[i * 10 + i % 7].fill_(edges[static_cast<std::size_t>(i) % edges.size()]);
  return strips[dtype] = x.to(dtype);
}

Tensor placed(DType dtype, const Shape& shape, const Strides& strides, std::int64_t offset) {
  return strip_of(dtype).clone().as_strided(shape, strides, offset);
}

// The operation on the GPU's kernels, run here.
bool run_here(const RuleInfo& rule, const Tensor& result, Inputs inputs, DType common) {
  const ElementwisePlan plan = plan_elementwise(rule, result, inputs, common);
  int launches = 0;
  const HostEngine engine{&launches};
  constexpr ElementwiseRules rules;
  if (plan.takes_packets && common == DType::fp32)
    run_packets<float>(engine, plan, rules);
  else if (plan.takes_packets && common == DType::bf16)
    run_packets<BFloat16>(engine, plan, rules);
  else if (plan.takes_packets)
    run_packets<Float16>(engine, plan, rules);
  else if (plan.compute == DType::fp64)
    run_any<double>(engine, plan, rules);
  else if (plan.compute == DType::fp32)
    run_any<float>(engine, plan, rules);
  else
    run_any<std::int64_t>(engine, plan, rules);
  EXPECT_EQ(launches, 1);
  return plan.takes_packets;
}

struct Case {
  Shape shape;
  Strides result;
  std::int64_t result_offset;
  std::vector<Strides> operands;  // taken in turn
  std::vector<std::int64_t> offsets;
};

const std::vector<Case> cases = {
    {{264}, {1}, 0, {{1}}, {0}},
    {{261}, {1}, 0, {{1}}, {8, 16}},
    {{261}, {1}, 0, {{1}}, {8, 3}},
    {{261}, {1}, 1, {{1}}, {1}},
    {{7}, {1}, 0, {{1}}, {0}},
    {{1}, {1}, 2, {{1}}, {0, 1, 2}},
    {{}, {}, 2, {{}}, {0, 1, 2}},
    {{7, 40}, {40, 1}, 0, {{40, 1}, {0, 1}}, {0}},         // a row for all
    {{7, 40}, {40, 1}, 0, {{40, 1}, {1, 0}}, {0, 3, 5}},   // a number for each row
    {{7, 40}, {40, 1}, 0, {{0, 0}, {40, 1}}, {7, 0, 16}},  // one for all
    {{7, 40}, {48, 1}, 8, {{56, 1}, {40, 1}}, {16, 8}},    // parts of rows
    {{7, 41}, {41, 1}, 0, {{41, 1}, {0, 1}}, {0}},         // rows that end within a packet
    {{7, 42}, {48, 1}, 0, {{48, 1}, {56, 1}}, {8, 0}},     // the same, with room behind each row
    {{7, 40}, {40, 1}, 0, {{42, 1}, {40, 1}}, {0}},        // rows that begin within one
    {{7, 40}, {1, 7}, 0, {{1, 7}}, {0}},                   // columns side by side
    {{7, 40}, {40, 1}, 0, {{1, 7}, {40, 1}}, {0}},         // one operand transposed
    {{130}, {2}, 1, {{3}, {1}}, {0, 1}},
    {{3, 1, 5, 16}, {80, 80, 16, 1}, 0, {{16, 0, 48, 1}, {0, 0, 16, 1}, {5, 0, 1, 0}}, {0}},
    {{3, 4, 5, 6}, {1, 3, 12, 60}, 0, {{120, 30, 6, 1}, {0, 1, 0, 4}}, {2}},
};

// Whether the rule takes these dtypes at all; the dtype that it is computed in.
std::optional<DType> common_of(const RuleInfo& rule, Inputs inputs) {
  try {
    const DType common = result_type(inputs);
    if (!is_defined(rule.op, common, Device::cuda)) return std::nullopt;
    return rule.kind == Kind::real && !is_floating(common) ? DType::fp32 : common;
  } catch (const Error&) {
    return std::nullopt;
  }
}

struct Count {
  int packets = 0, others = 0;
};

void expect_same(const RuleInfo& rule, const Case& c, Inputs inputs, DType common, DType dtype,
                 Count& count) {
  const Tensor want_strip = strip_of(dtype).clone(), got_strip = strip_of(dtype).clone();
  const Tensor want = want_strip.as_strided(c.shape, c.result, c.result_offset);
  const Tensor got = got_strip.as_strided(c.shape, c.result, c.result_offset);
  cpu::run(rule, want, inputs, common, false);
  ++(run_here(rule, got, inputs, common) ? count.packets : count.others);
  ASSERT_EQ(difference(got_strip, want_strip), "");
}

// One rule on all layouts, its operands of dtypes a, b, a ..., one of them a number where asked.
void expect_rule(const RuleInfo& rule, DType a, DType b, std::optional<Scalar> number,
                 Count& count) {
  // Of two dtypes in turn every fourth case, so that all of it takes seconds.
  const std::size_t step = a == b ? 1 : 4;
  for (std::size_t n = (static_cast<std::size_t>(a) + static_cast<std::size_t>(b)) % step;
       n < cases.size(); n += step) {
    const Case& c = cases[n];
    SCOPED_TRACE(fmt::format("{} of {} and {}, case {}{}", name(rule.op), name(a), name(b), n,
                             number ? ", with a number" : ""));
    std::vector<Tensor> tensors;
    std::vector<Input> inputs;
    for (int k = 0; k < rule.operands; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const bool is_condition = k == 0 && rule.has_condition;
      tensors.push_back(placed(is_condition ? DType::boolean
                               : k % 2 == 0 ? a
                                            : b,
                               c.shape, c.operands[at % c.operands.size()],
                               c.offsets[at % c.offsets.size()]));
    }
    for (int k = 0; k < rule.operands; ++k)
      if (number && k == rule.operands - 1 && k > 0)
        inputs.emplace_back(*number);
      else if (k == 0 && rule.has_condition)
        inputs.push_back(Input::parameter(tensors[0]));
      else
        inputs.emplace_back(tensors[static_cast<std::size_t>(k)]);
    const std::optional<DType> common = common_of(rule, inputs);
    if (!common) return;
    const DType result = rule.kind == Kind::comparison ? DType::boolean : *common;
    expect_same(rule, c, inputs, *common, result, count);
  }
}

void expect_rule_everywhere(const RuleInfo& rule) {
  Count count;
  for (const DType a : all_dtypes)
    for (const DType b : all_dtypes) expect_rule(rule, a, b, std::nullopt, count);
  for (const DType a : all_dtypes)
    for (const Scalar number : {Scalar(3), Scalar(0.3)}) expect_rule(rule, a, a, number, count);
  EXPECT_GT(count.packets, 20) << name(rule.op);
  EXPECT_GT(count.others, 40) << name(rule.op);
}

template <class... Rules>
void expect_rules(RuleList<Rules...>) {
  (expect_rule_everywhere(rule_info<Rules>), ...);
}

TEST(CudaElementwise, EveryRuleIsTheCpus) { expect_rules(ElementwiseRules{}); }

// In place, a result may be narrower or wider than what is computed.
TEST(CudaElementwise, ResultsOfOtherDtypesAreTheCpus) {
  Count count;
  for (const DType dtype : {DType::bf16, DType::fp16, DType::fp64, DType::fp32})
    for (const DType common : {DType::fp64, DType::fp32, DType::bf16})
      for (const Case& c : cases) {
        const Tensor a = placed(common, c.shape, c.operands[0], c.offsets[0]);
        const Input inputs[] = {a, a};
        expect_same(rule_info<Mul>, c, inputs, common, dtype, count);
        expect_same(rule_info<Equal>, c, inputs, common, dtype, count);
      }
  EXPECT_GT(count.others, 200);
}

// They do not decide the dtype, and are rounded to it, or kept as FP32 where the rule says so.
TEST(CudaElementwise, OperandsWithoutDimensionsAreTheCpus) {
  Count count;
  const Case c{{21}, {1}, 0, {}, {}};
  for (const DType a : all_dtypes)
    for (const DType b : all_dtypes)
      for (const std::int64_t at : {3, 4, 5, 6})
        for (const RuleInfo& rule : {rule_info<Add>, rule_info<Mul>, rule_info<Maximum>}) {
          SCOPED_TRACE(fmt::format("{} of {} and {} at {}", name(rule.op), name(a), name(b), at));
          const Tensor x = placed(a, {21}, {1}, 0), y = placed(b, {}, {}, at);
          const Input inputs[] = {x, y};
          if (const auto common = common_of(rule, inputs))
            expect_same(rule, c, inputs, *common, *common, count);
        }
  EXPECT_GT(count.packets, 200);
  EXPECT_GT(count.others, 200);
}

// Uninitialised memory may hold such bytes.
TEST(CudaElementwise, ConditionsThatAreNeither0Nor1AreTrue) {
  const Tensor bytes = arange(9, {.dtype = DType::uint8}),
               truth = empty({9}, {.dtype = DType::boolean});
  std::memcpy(truth.raw_data(), bytes.raw_data(), 9);
  const Tensor a = ones({9}), b = zeros({9});
  for (const Tensor& condition : {truth, truth.slice(0, 0, 9, 2)}) {
    const std::int64_t n = condition.numel();
    const Tensor x = a.slice(0, 0, n), y = b.slice(0, 0, n), got = empty({n});
    const Input inputs[] = {Input::parameter(condition), x, y};
    EXPECT_EQ(run_here(rule_info<Where>, got, inputs, DType::fp32), n == 9);
    std::vector<int> want(static_cast<std::size_t>(n), 1);
    want[0] = 0;
    EXPECT_EQ(got.to_vector<int>(), want);
  }
}

}  // namespace
}  // namespace napkin::cuda
