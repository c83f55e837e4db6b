// The table of operations against what the operations do: every cell is tried.
#include "common/tensor/operations/table.h"

#include <gtest/gtest.h>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/samples.h"

namespace napkin {
namespace {

using samples::Size;

constexpr Size sizes[] = {{5, 7}, {1, 1}, {33, 70}, {3, 1}, {1, 40}};

struct Heard : Observer {
  std::vector<OperationEvent> events;
  void on(const OperationEvent& e) override { events.push_back(e); }
};

// What the column "result" of the table says.
DType wanted_dtype(std::string_view rule, DType dtype) {
  if (rule == "bool") return DType::boolean;
  if (rule == "int64") return DType::int64;
  if (rule.ends_with("or fp32") && !is_floating(dtype)) return DType::fp32;
  if (rule.ends_with("or int64") && !is_floating(dtype)) return DType::int64;
  return dtype;
}

template <class Try>
void for_each_cell(Try&& attempt) {
  for (const Operation& o : operations())
    for (const DType dtype : all_dtypes) {
      SCOPED_TRACE(std::string(o.name) + " of " + std::string(name(dtype)));
      attempt(o, dtype);
    }
}

TEST(Operations, EveryCellIsDefinedOrRefusedByName) {
  for_each_cell([](const Operation& o, DType dtype) {
    for (const Device device : {Device::cpu, Device::meta}) {
      const samples::Call call = samples::call(o.op, dtype, device, {5, 7});
      if (is_defined(o.op, dtype, device)) {
        EXPECT_NO_THROW(call());
        continue;
      }
      try {
        call();
        ADD_FAILURE() << "not refused on " << name(device);
      } catch (const Error& error) {
        const std::string sentence = error.what();
        for (const std::string_view part : {o.name, name(dtype), std::string_view("not defined")})
          EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
      }
    }
  });
}

TEST(Operations, ResultsHaveTheDTypeOfTheTable) {
  for_each_cell([](const Operation& o, DType dtype) {
    if (!is_defined(o.op, dtype, Device::cpu)) return;
    const std::vector<Tensor> got = samples::call(o.op, dtype, Device::cpu, {5, 7})();
    EXPECT_EQ(name(got[0].dtype()), name(wanted_dtype(o.result, dtype)));
    if (got.size() > 1) {
      EXPECT_EQ(got[1].dtype(), DType::int64);
    }
  });
}

// The same events with the same FLOPs and bytes, so that a model can be accounted for without data.
TEST(Operations, OnMetaShapesStridesAndAccountsAreThoseOfRealRuns) {
  for_each_cell([](const Operation& o, DType dtype) {
    if (!is_defined(o.op, dtype, Device::cpu)) return;
    for (const Size size : sizes)
      for (const bool transposed : {false, true}) {
        std::vector<Tensor> results[2];
        std::vector<OperationEvent> events[2];
        for (const Device device : {Device::cpu, Device::meta}) {
          const samples::Call call = samples::call(o.op, dtype, device, size, transposed);
          const std::size_t at = device == Device::meta;
          const Heard heard;
          results[at] = call();
          events[at] = heard.events;
        }
        ASSERT_EQ(results[0].size(), results[1].size());
        for (std::size_t k = 0; k < results[0].size(); ++k) {
          const Tensor &real = results[0][k], &meta = results[1][k];
          EXPECT_EQ(meta.device(), Device::meta);
          EXPECT_EQ(to_string(real.shape()), to_string(meta.shape()));
          EXPECT_EQ(to_string(real.strides()), to_string(meta.strides()));
          EXPECT_EQ(name(real.dtype()), name(meta.dtype()));
        }
        ASSERT_EQ(events[0].size(), events[1].size());
        for (std::size_t k = 0; k < events[0].size(); ++k) {
          const OperationEvent &real = events[0][k], &meta = events[1][k];
          EXPECT_STREQ(real.name, meta.name);
          EXPECT_EQ(real.flops, meta.flops);
          EXPECT_EQ(real.bytes_read, meta.bytes_read);
          EXPECT_EQ(real.bytes_written, meta.bytes_written);
          EXPECT_EQ(meta.device, Device::meta);
        }
        const bool is_copies = o.op == Op::cat || o.op == Op::stack;
        EXPECT_EQ(events[0].back().name, is_copies ? "copy" : o.name);
      }
  });
}

// Results with equal bits at 1, 2 and 8 threads and at every instruction set that claims it.
TEST(Operations, TheSameBitsAtAnyNumberOfThreads) {
  const int before = threads();
  for_each_cell([](const Operation& o, DType dtype) {
    if (!is_defined(o.op, dtype, Device::cpu)) return;
    const samples::Call call = samples::call(o.op, dtype, Device::cpu, {140, 517});
    set_threads(1);
    const std::vector<Tensor> want = call();
    for (const int team : {2, 8}) {
      set_threads(team);
      const std::vector<Tensor> got = call();
      for (std::size_t k = 0; k < want.size(); ++k)
        EXPECT_EQ(recorded::difference(got[k], want[k]), "") << team << " threads";
    }
  });
  set_threads(before);
}

// Products are the exception: their engine has an order of its own at each.
TEST(Operations, TheSameBitsAtAnyInstructionSet) {
  for_each_cell([](const Operation& o, DType dtype) {
    if (!is_defined(o.op, dtype, Device::cpu) || o.op == Op::matmul) return;
    const samples::Call call = samples::call(o.op, dtype, Device::cpu, {61, 117});
    const std::vector<Tensor> want = call();
    for (const std::string& level : cpu::levels()) {
      const cpu::ForcedLevel forced(level);
      const std::vector<Tensor> got = call();
      for (std::size_t k = 0; k < want.size(); ++k)
        EXPECT_EQ(recorded::difference(got[k], want[k]), "") << level;
    }
  });
}

TEST(Operations, EmptyTensorsGoThroughOrAreRefused) {
  for_each_cell([](const Operation& o, DType dtype) {
    if (!is_defined(o.op, dtype, Device::cpu)) return;
    for (const Size size : {Size{0, 3}, Size{3, 0}, Size{0, 0}})
      for (const Device device : {Device::cpu, Device::meta}) try {
          for (const Tensor& t : samples::call(o.op, dtype, device, size)())
            EXPECT_TRUE(t.defined());
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find(o.name), std::string::npos) << error.what();
        }
  });
}

}  // namespace
}  // namespace napkin
