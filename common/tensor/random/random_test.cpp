#include "common/tensor/random/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "common/io/safetensors.h"
#include "common/io/testing/temporary_folder.h"  // refusal

namespace napkin {
namespace {

const std::string golden = NAPKIN_SOURCE "/reference/golden/";

// A recorded call, as reference/random_numbers.py names it.
struct Call {
  std::string stream, step, what;
  std::vector<std::string> arguments;

  explicit Call(const std::string& name) {
    std::istringstream words(name);
    words >> stream >> step >> what;
    for (std::string word; words >> word;) arguments.push_back(word);
  }
  std::int64_t whole(std::size_t i) const { return std::stoll(arguments.at(i)); }
  double real(std::size_t i) const { return std::stod(arguments.at(i)); }
  std::uint64_t seed() const {
    const std::string& text = arguments.at(0);
    return text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
  }
};

Tensor repeat(const Call& call, Generator& g) {
  const Shape shape = {call.whole(1)};
  const Options options = {.dtype = dtype_named(call.arguments.at(0))};
  if (call.what == "rand") return rand(shape, options, g);
  if (call.what == "randn") return randn(shape, options, g);
  if (call.what == "randperm") return randperm(call.whole(1), options, g);
  if (call.what == "uniform") return uniform(shape, call.real(2), call.real(3), options, g);
  if (call.what == "randint") return randint(call.whole(2), call.whole(3), shape, options, g);
  if (call.what == "trunc")
    return truncated_normal(shape, call.real(2), call.real(3), call.real(4), call.real(5), options,
                            g);
  fail("a call \"{}\" is not known", call.what);
}

// Counts elements of other bits, and expects them within the relative and absolute
// distance of what was recorded; where both are 0, that no bit differs.
template <class T>
std::size_t compare(const Tensor& got, const io::StoredTensor& want, double relative,
                    double absolute) {
  const auto* const data = got.data<T>();
  std::size_t differing = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(got.numel()); ++i) {
    T wanted;
    std::memcpy(&wanted, want.data.data() + i * sizeof(T), sizeof(T));
    if (std::memcmp(&wanted, data + i, sizeof(T)) == 0) continue;
    ++differing;
    const auto a = static_cast<double>(data[i]), b = static_cast<double>(wanted);
    const double allowed = relative == 0 && absolute == 0 ? -1 : relative * std::abs(b) + absolute;
    EXPECT_LE(std::abs(a - b), allowed)
        << want.name << ", element " << i << ": " << a << " for " << b;
  }
  return differing;
}

std::size_t expect_near(const Tensor& got, const io::StoredTensor& want, double relative,
                        double absolute) {
  EXPECT_EQ(io::stored_type(got.dtype()), want.type) << want.name;
  EXPECT_EQ(static_cast<std::size_t>(got.bytes()), want.data.size()) << want.name;
  if (testing::Test::HasFailure()) return 0;
  return visit(got.dtype(), [&](auto tag) {
    return compare<typename decltype(tag)::Type>(got, want, relative, absolute);
  });
}

// Where logarithm, sine and cosine come in, C libraries differ by about an ulp in each; with those
// of glibc 2.36 the bits are equal. Everything else is equal bits everywhere.
double libm_slack(const Call& call, DType dtype) {
  if (call.what != "randn" && call.what != "trunc") return 0;
  if (dtype == DType::fp64) return 0x1p-50;
  if (dtype == DType::fp32) return 0x1p-21;
  return dtype == DType::fp16 ? 0x1p-10 : 0x1p-7;  // rounded to a neighbour
}

TEST(Random, EveryRecordedCallDrawsWhatPyTorchDraws) {
  const io::SafetensorsFile recorded(golden + "random_numbers.safetensors");
  const io::SafetensorsFile groups(golden + "random_groups.safetensors");
  Generator g;
  std::string stream;
  std::size_t differing = 0;
  for (const io::StoredTensor& want : recorded.tensors()) {  // in the order of their names
    const Call call(want.name);
    if (call.stream != stream) g = Generator();
    stream = call.stream;
    if (call.what == "seed") {
      g.manual_seed(call.seed());
      continue;
    }
    const Tensor got = repeat(call, g);
    const double slack = libm_slack(call, got.dtype());
    const bool scalar = groups.contains(want.name);  // vector code has a logarithm of its own here
    differing += expect_near(got, scalar ? groups[want.name] : want, slack, 0);
    if (scalar) expect_near(got, want, got.dtype() == DType::fp32 ? 0 : slack, 3e-6);
  }
  EXPECT_EQ(recorded.tensors().size(), 883u);
  RecordProperty("elements_with_other_bits", static_cast<int>(differing));
}

// Also recorded: three seeds at five sizes, and one stream of several draws (reference/golden.py).
TEST(Random, ShortDrawsAndAMixedStreamAreAsRecorded) {
  const io::SafetensorsFile file(golden + "random.safetensors");
  for (const std::uint64_t seed : {0u, 1u, 42u}) {
    Generator g(seed);
    const auto near = [&](const Tensor& got, const std::string& what, double slack) {
      expect_near(got, file[fmt::format("seed{}.{}", seed, what)], slack, 0);
      g.manual_seed(seed);
    };
    for (const std::int64_t n : {1, 15, 16, 17, 100}) {
      const auto sized = [&](const char* draw) { return fmt::format("{}.{}", draw, n); };
      near(rand({n}, {}, g), sized("rand"), 0);
      near(randn({n}, {}, g), sized("randn"), 0x1p-21);
      near(randint(0, 1000, {n}, {.dtype = DType::int64}, g), sized("randint1000"), 0);
      near(randperm(n, {.dtype = DType::int64}, g), sized("randperm"), 0);
    }
    std::vector<float> mixed;
    for (const Tensor& part : {randn({3}, {}, g), rand({5}, {}, g), randn({16}, {}, g),
                               randint(0, 256, {4}, {}, g), randn({2}, {}, g)})
      for (const float x : part.to_vector<float>()) mixed.push_back(x);
    const auto count = static_cast<std::int64_t>(mixed.size());
    near(from_data(mixed, {count}), "mixed", 0x1p-21);
  }
}

// An odd and an even number of normal values drawn before: one with a value held back.
TEST(Random, OnMetaThereIsAShapeAndNothingIsDrawn) {
  Generator g(1);
  const auto before = g.state();
  const Options meta = {.dtype = DType::fp32, .device = Device::meta};
  EXPECT_EQ(randn({1 << 20, 1 << 20}, meta, g).shape(), (Shape{1 << 20, 1 << 20}));
  rand({3}, meta, g);
  uniform({3}, -1, 1, meta, g);
  randint(0, 9, {3}, meta, g);
  randperm(1'000'000'000'000, {.dtype = DType::int64, .device = Device::meta}, g);
  bernoulli({3}, 0.5, meta, g);
  truncated_normal({3}, 0, 1, -2, 2, meta, g);
  EXPECT_EQ(g.state(), before);
}

TEST(Random, ShapesAreFilledInRowMajorOrder) {
  Generator a(2), b(2);
  EXPECT_EQ(randn({3, 2, 5}, {}, a).to_vector<float>(), randn({30}, {}, b).to_vector<float>());
  EXPECT_EQ(rand({}, {}, a).rank(), 0);
  EXPECT_EQ(rand({4, 0, 3}, {}, a).numel(), 0);
}

TEST(Bernoulli, IsWhetherAUniformNumberLiesBelowP) {
  Generator a(4), b(4);
  for (const DType dtype : all_dtypes) {
    if (is_fp8(dtype)) continue;
    const auto u = rand({40}, {}, a).to_vector<float>();
    const auto x = bernoulli({40}, 0.3, {.dtype = dtype}, b).to_vector<float>();
    for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(x[i], u[i] < 0.3f ? 1.0f : 0.0f);
  }
  EXPECT_EQ(bernoulli({50}, 0, {}, a).to_vector<float>(), std::vector<float>(50, 0.0f));
  EXPECT_EQ(bernoulli({50}, 1, {}, a).to_vector<float>(), std::vector<float>(50, 1.0f));
}

// The sentence a call is refused with; nothing may have been drawn.
template <class Work>
std::string refused(Work&& work) {
  Generator g(1);
  randn({1}, {}, g);
  const auto before = g.state();
  const std::string why = io::refusal([&] { work(g); });
  EXPECT_EQ(g.state(), before) << why;
  return why;
}

TEST(Random, BadArgumentsAreRefusedAndNothingIsDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Options whole = {.dtype = DType::int64};
  EXPECT_EQ(refused([&](auto& g) { randperm(-1, whole, g); }),
            "randperm of -1: a count of 0 or more is needed");
  EXPECT_EQ(refused([&](auto& g) { randint(5, 5, {2}, whole, g); }),
            "randint from 5 to 5: no number lies there (the end is not drawn)");
  EXPECT_EQ(refused([&](auto& g) { randint(5, -5, {0}, whole, g); }),
            "randint from 5 to -5: no number lies there (the end is not drawn)");
  EXPECT_EQ(refused([&](auto& g) { bernoulli({2}, 1.5, {}, g); }),
            "bernoulli with probability 1.5: 0 to 1 are allowed");
  EXPECT_NE(refused([&](auto& g) { bernoulli({2}, -0.1, {}, g); }), "");
  EXPECT_NE(refused([&](auto& g) { bernoulli({2}, nan, {}, g); }), "");
  EXPECT_EQ(refused([&](auto& g) { uniform({2}, 2, 1, {}, g); }),
            "uniform from 2 to 1: the end must not lie before the beginning");
  EXPECT_NE(refused([&](auto& g) { uniform({2}, nan, 1, {}, g); }), "");
  EXPECT_EQ(refused([&](auto& g) { uniform({2}, 0, inf, {}, g); }),
            "uniform from 0 to inf: inf is past the range of fp32");
  EXPECT_NE(refused([&](auto& g) { uniform({2}, -3e38, 3e38, {}, g); }), "");
  EXPECT_NE(refused([&](auto& g) { uniform({2}, 0, 7e4, {.dtype = DType::fp16}, g); }), "");
  EXPECT_EQ(refused([&](auto& g) { rand({2}, whole, g); }),
            "rand of dtype int64: fp64, fp32, bf16 or fp16 are allowed");
  EXPECT_NE(refused([&](auto& g) { randn({2}, {.dtype = DType::boolean}, g); }), "");
  EXPECT_NE(refused([&](auto& g) { uniform({2}, 0, 1, {.dtype = DType::uint8}, g); }), "");
  EXPECT_NE(refused([&](auto& g) { randn({-2}, {}, g); }), "");
  EXPECT_NE(refused([&](auto& g) { randn({1ll << 40, 1ll << 40}, {}, g); }), "");
  EXPECT_NE(refused([&](auto& g) { randn({2}, {.device = Device::cuda}, g); }), "");
}

TEST(Random, NumbersThatTheDtypeDoesNotHoldAreRefused) {
  const auto integers = [](DType dtype, std::int64_t low, std::int64_t high) {
    return refused([&](auto& g) { randint(low, high, {2}, {.dtype = dtype}, g); });
  };
  EXPECT_EQ(integers(DType::uint8, 0, 257),
            "randint from 0 to 257: dtype uint8 does not hold these numbers");
  EXPECT_NE(integers(DType::uint8, -1, 5), "");
  EXPECT_NE(integers(DType::uint16, 0, 65537), "");
  EXPECT_NE(integers(DType::int32, 0, (1ll << 31) + 1), "");
  EXPECT_NE(integers(DType::boolean, 0, 3), "");
  EXPECT_NE(integers(DType::fp16, 0, 65537), "");
  EXPECT_NE(integers(DType::fp16, -70'000, 0), "");
  EXPECT_NE(integers(DType::bf16, (1 << 30) + 1, (1 << 30) + 5), "");  // between two of its numbers
  const auto order = [](DType dtype, std::int64_t n) {
    return refused([&](auto& g) { randperm(n, {.dtype = dtype}, g); });
  };
  EXPECT_EQ(order(DType::uint8, 257),
            "randperm of 257: dtype uint8 holds at most 256 numbers from 0 on");
  EXPECT_NE(order(DType::bf16, 258), "");
  EXPECT_NE(order(DType::fp16, 2050), "");
  EXPECT_NE(order(DType::boolean, 3), "");
  EXPECT_NO_THROW(randperm(256, {.dtype = DType::uint8}));
  EXPECT_NO_THROW(randperm(2, {.dtype = DType::boolean}));
}

TEST(Random, AHalfTypeIsRoundedByWayOfFloatAsInPyTorch) {
  Generator g;
  g.held_normal = 1 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(randn({1}, {.dtype = DType::bf16}, g).item().to_double(), 1.0);  // at once: 1.0078125
}

}  // namespace
}  // namespace napkin
