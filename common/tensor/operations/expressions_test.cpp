// Random expressions of many operations, in FP64 and FP32 at once, against plain loops over indices
// in FP64 (reference/reference.h). What single recorded cases do not show: that operations take
// each other's results, with whatever strides these have.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "common/tensor/create.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/join.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/reference/elements.h"
#include "common/tensor/reference/reference.h"

namespace napkin {
namespace {

namespace ref = reference;

// f of each element, and of each two: formulas in double, written here once more.
Tensor map(const Tensor& x, const std::function<double(double)>& f) {
  return ref::build(x.shape(), DType::fp64, [&](const Dims& i) { return f(x.at(i).to_double()); });
}
Tensor map(const Tensor& x, const Tensor& y, const std::function<double(double, double)>& f) {
  return ref::build(broadcast(x.shape(), y.shape()), DType::fp64, [&](const Dims& i) {
    return f(ref::at(x, i).to_double(), ref::at(y, i).to_double());
  });
}

Tensor permuted(const Tensor& x, const Dims& order) {
  Shape shape;
  for (const std::int64_t d : order) shape.push_back(x.size(static_cast<int>(d)));
  return ref::build(shape, DType::fp64, [&](const Dims& i) {
    Dims from(order.size(), 0);
    for (int d = 0; d < order.size(); ++d) from[static_cast<int>(order[d])] = i[d];
    return x.at(from);
  });
}

// One value in three forms.
struct Value {
  Tensor wide, narrow;  // fp64, fp32
  Tensor plain;         // fp64, by loops over indices
};

class Expressions {
 public:
  explicit Expressions(unsigned seed) : random_(seed) {}

  Value leaf(const Shape& shape) {
    std::vector<double> numbers(static_cast<std::size_t>(count_elements(shape)));
    for (double& n : numbers) n = static_cast<double>(pick(-64, 64)) / 32;  // exact in FP32
    const Tensor wide = from_data<double>(numbers, shape);
    return {wide, wide.to(DType::fp32), wide};
  }
  Value leaf() {
    Shape shape;
    for (std::int64_t rank = pick(1, 3); rank > 0; --rank) shape.push_back(pick(1, 6));
    return leaf(shape);
  }

  // The value after one more operation; its name is added to `text`.
  Value step(const Value& x, std::string& text) {
    using Step = Value (Expressions::*)(const Value&, std::string&);
    static constexpr Step steps[] = {&Expressions::unary,     &Expressions::binary,
                                     &Expressions::ternary,   &Expressions::view,
                                     &Expressions::reduction, &Expressions::row,
                                     &Expressions::product,   &Expressions::selection};
    return (this->*steps[pick(0, std::ssize(steps) - 1)])(x, text);
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  int dimension(const Value& x) { return static_cast<int>(pick(0, x.wide.rank() - 1)); }

  template <class F>
  static Value both(const Value& x, const F& f, Tensor plain) {
    return {f(x.wide), f(x.narrow), plain};
  }
  template <class F>
  static Value both(const Value& x, const Value& y, const F& f, Tensor plain) {
    return {f(x.wide, y.wide), f(x.narrow, y.narrow), plain};
  }

  Value unary(const Value& x, std::string& text) {
    struct Function {
      const char* name;
      Tensor (*tensor)(const Tensor&);
      double (*number)(double);
    };
    static constexpr Function all[] = {
        {"tanh", [](const Tensor& t) { return tanh(t); }, [](double v) { return std::tanh(v); }},
        {"sigmoid", [](const Tensor& t) { return sigmoid(t); },
         [](double v) { return 1 / (1 + std::exp(-v)); }},
        {"relu", [](const Tensor& t) { return relu(t); }, [](double v) { return v > 0 ? v : 0; }},
        {"neg", [](const Tensor& t) { return -t; }, [](double v) { return -v; }},
        {"gelu", [](const Tensor& t) { return gelu(t); },
         [](double v) { return v / 2 * std::erfc(-v / std::sqrt(2)); }},
        {"log(abs + 1)", [](const Tensor& t) { return log(abs(t) + 1); },
         [](double v) { return std::log(std::abs(v) + 1); }},
        {"sqrt(abs + 1)", [](const Tensor& t) { return sqrt(abs(t) + 1); },
         [](double v) { return std::sqrt(std::abs(v) + 1); }},
        {"rsqrt(abs + 1)", [](const Tensor& t) { return rsqrt(abs(t) + 1); },
         [](double v) { return 1 / std::sqrt(std::abs(v) + 1); }},
        {"exp(tanh)", [](const Tensor& t) { return exp(tanh(t)); },
         [](double v) { return std::exp(std::tanh(v)); }},
        {"clamp", [](const Tensor& t) { return clamp(t, -1, 0.5); },
         [](double v) { return std::clamp(v, -1.0, 0.5); }}};
    const Function& f = all[pick(0, std::ssize(all) - 1)];
    text += std::string(" ") + f.name;
    return both(x, f.tensor, map(x.plain, f.number));
  }

  Value binary(const Value& x, std::string& text) {
    struct Function {
      const char* name;
      Tensor (*tensor)(const Tensor&, const Tensor&);
      double (*number)(double, double);
    };
    static constexpr Function all[] = {
        {"+", [](const Tensor& a, const Tensor& b) { return a + b; },
         [](double a, double b) { return a + b; }},
        {"- 0.5 *", [](const Tensor& a, const Tensor& b) { return sub(a, b, 0.5); },
         [](double a, double b) { return a - 0.5 * b; }},
        {"*", [](const Tensor& a, const Tensor& b) { return a * b; },
         [](double a, double b) { return a * b; }},
        {"/ (1 + abs)", [](const Tensor& a, const Tensor& b) { return a / (abs(b) + 1); },
         [](double a, double b) { return a / (std::abs(b) + 1); }},
        {"maximum", [](const Tensor& a, const Tensor& b) { return maximum(a, b); },
         [](double a, double b) { return std::max(a, b); }},
        {"minimum", [](const Tensor& a, const Tensor& b) { return minimum(a, b); },
         [](double a, double b) { return std::min(a, b); }},
        {"lerp",
         [](const Tensor& a, const Tensor& b) {
           return lerp(a.expand(broadcast(a.shape(), b.shape())), b, 0.25);
         },
         [](double a, double b) { return a + 0.25 * (b - a); }}};
    const Function& f = all[pick(0, std::ssize(all) - 1)];
    text += std::string(" ") + f.name;
    const Value y = leaf(partner(x.wide.shape()));
    return both(x, y, f.tensor, map(x.plain, y.plain, f.number));
  }

  // A shape that broadcasts with the other one.
  Shape partner(const Shape& shape) {
    Shape other;
    for (const std::int64_t size : shape) other.push_back(pick(0, 2) == 0 ? 1 : size);
    while (!other.empty() && pick(0, 3) == 0) other.erase(0);
    if (other.size() == shape.size() && shape.size() < 4 && pick(0, 5) == 0) other.insert(0, 2);
    return other;
  }

  Value ternary(const Value& x, std::string& text) {
    const Value y = leaf(x.wide.shape()), z = leaf(x.wide.shape());
    if (pick(0, 1) == 0) {
      text += " addcmul";
      const auto product = map(y.plain, z.plain, std::multiplies<>());
      return {addcmul(x.wide, y.wide, z.wide, 0.5), addcmul(x.narrow, y.narrow, z.narrow, 0.5),
              map(x.plain, product, [](double a, double p) { return a + 0.5 * p; })};
    }
    text += " where";
    return {where(gt(y.wide, 0), x.wide, z.wide), where(gt(y.narrow, 0), x.narrow, z.narrow),
            ref::where(ref::gt(y.plain, Scalar(0)), x.plain, z.plain)};
  }

  Value view(const Value& x, std::string& text) {
    const int rank = x.wide.rank();
    if (pick(0, 1) == 0 && rank > 1) {
      text += " permute";
      Dims order;
      for (int d = 0; d < rank; ++d) order.push_back(d);
      std::shuffle(order.begin(), order.end(), random_);
      return both(
          x, [&](const Tensor& t) { return t.permute(order); }, permuted(x.plain, order));
    }
    text += " slice";
    const int d = dimension(x);
    const std::int64_t start = pick(0, x.wide.size(d) - 1), step = pick(1, 2);
    return both(
        x, [&](const Tensor& t) { return t.slice(d, start, Tensor::to_end, step); },
        ref::index_select(x.plain, d, arange(start, x.wide.size(d), step)));
  }

  Value reduction(const Value& x, std::string& text) {
    const int d = dimension(x);
    const auto over = [&](Tensor (*f)(const Tensor&, const Dims&, bool), const Tensor& plain) {
      return both(
          x, [&](const Tensor& t) { return f(t, {d}, true); }, plain);
    };
    switch (pick(0, 4)) {
      case 0:
        text += " sum";
        return over(sum, ref::sum(x.plain, {d}, true));
      case 1:
        text += " mean";
        return over(mean, ref::mean(x.plain, {d}, true));
      case 2:
        text += " max";
        return over(max, ref::max(x.plain, {d}, true));
      case 3:
        text += " min";
        return over(min, ref::min(x.plain, {d}, true));
      default:
        text += " norm";
        return both(
            x, [&](const Tensor& t) { return norm(t, 2, {d}, true); },
            ref::norm(x.plain, 2, {d}, true));
    }
  }

  Value row(const Value& x, std::string& text) {
    const int d = dimension(x);
    switch (pick(0, 2)) {
      case 0:
        text += " softmax";
        return both(
            x, [&](const Tensor& t) { return softmax(t, d); }, ref::softmax(x.plain, d));
      case 1:
        text += " log_softmax";
        return both(
            x, [&](const Tensor& t) { return log_softmax(t, d); },
            map(ref::softmax(x.plain, d), [](double v) { return std::log(v); }));
      default:
        text += " cumsum";
        return both(
            x, [&](const Tensor& t) { return cumsum(t, d); }, ref::cumsum(x.plain, d));
    }
  }

  Value product(const Value& x, std::string& text) {
    if (x.wide.rank() < 2) return x;
    text += " matmul";
    const Value y = leaf({x.wide.size(-1), pick(1, 5)});
    return both(
        x, y, [](const Tensor& a, const Tensor& b) { return matmul(a, b); },
        ref::matmul(x.plain, y.plain));
  }

  Value selection(const Value& x, std::string& text) {
    const int d = dimension(x);
    if (pick(0, 1) == 0) {
      text += " cat";
      return both(
          x,
          [&](const Tensor& t) {
            return cat({t, t}, d);
          },
          ref::cat({x.plain, x.plain}, d));
    }
    text += " index_select";
    std::vector<std::int64_t> index(static_cast<std::size_t>(pick(1, 4)));
    for (std::int64_t& i : index) i = pick(0, x.wide.size(d) - 1);
    const Tensor positions = from_data<std::int64_t>(index, {std::ssize(index)});
    return both(
        x, [&](const Tensor& t) { return index_select(t, d, positions); },
        ref::index_select(x.plain, d, positions));
  }

  std::mt19937 random_;
};

void expect_near(const Tensor& got, const Tensor& want, double tolerance, const std::string& text) {
  ASSERT_EQ(to_string(got.shape()), to_string(want.shape())) << text;
  const auto values = got.to_vector<double>(), wanted = want.to_vector<double>();
  double largest = 1;
  for (const double v : wanted) largest = std::max(largest, std::abs(v));
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_LE(std::abs(values[i] - wanted[i]), tolerance * largest)
        << text << ": element " << i << " is " << values[i] << ", not " << wanted[i];
}

TEST(Expressions, RandomOnesAreWhatPlainLoopsGive) {
  for (unsigned seed = 0; seed < 10000; ++seed) {
    Expressions make(seed);
    std::string text = "seed " + std::to_string(seed) + ":";
    Value x = make.leaf();
    for (int step = 0; step < 6; ++step) {
      x = make.step(x, text);
      ASSERT_NO_FATAL_FAILURE(expect_near(x.wide, x.plain, 1e-10, text));
      ASSERT_NO_FATAL_FAILURE(expect_near(x.narrow, x.plain, 2e-3, text));
      if (x.wide.rank() == 0 || x.wide.numel() > 3000) break;
    }
  }
}

}  // namespace
}  // namespace napkin
