// Every operation of the table against its reference: every dtype that it takes, on odd, strided,
// transposed, expanded, broadcast, empty and 0-dimensional operands. samples.h calls them;
// an operation without a reference there does not compile.
#include "common/tensor/operations/table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "common/tensor/create.h"
#include "common/tensor/reference/reference.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/reference_samples.h"
#include "common/tensor/testing/within.h"

namespace napkin {
namespace {

namespace ref = reference;
using samples::Inputs;
using samples::Size;

// Numbers between 0.5 and 1.5; those less 1, of both signs; any bits, infinities and NaN.
enum class Values { ordinary, both_signs, any };

Tensor numbers(Values values, const Shape& shape, DType dtype, unsigned seed) {
  if (values == Values::ordinary || (values == Values::both_signs && !is_floating(dtype)))
    return samples::numbers(shape, dtype, Device::cpu, seed);
  if (values == Values::both_signs)
    return ref::copy(ref::sub(samples::numbers(shape, DType::fp64, Device::cpu, seed), Scalar(1.0)),
                     dtype);
  static constexpr double telling[] = {0.0,   -0.0,    INFINITY, -INFINITY, NAN,  1.0,  -1.0,
                                       1e-40, -1e-320, 1e30,     -1e300,    0.1,  -3.5, 65504,
                                       -1e-7, 88.7,    -103.9,   2.5,       -0.5, 7.0,  1e5};
  std::mt19937_64 random(seed);
  Tensor x = empty(shape, {.dtype = is_floating(dtype) ? DType::fp64 : DType::int64});
  for (std::int64_t i = 0; i < x.numel(); ++i)
    if (is_floating(dtype))
      x.data<double>()[i] = telling[random() % std::size(telling)];
    else
      x.data<std::int64_t>()[i] = static_cast<std::int64_t>(random() >> (random() % 64));
  return ref::copy(x, dtype);
}

enum class Form { rows, transposed, strided, row_repeated, column_repeated };
constexpr Form forms[] = {Form::rows, Form::transposed, Form::strided, Form::row_repeated,
                          Form::column_repeated};

// A matrix of that shape and form, with elements that make(shape) gives.
template <class Make>
Tensor matrix(Form form, const Shape& shape, const Make& make) {
  const std::int64_t rows = shape[0], columns = shape[1];
  if (form == Form::transposed) return make(Shape{columns, rows}).t();
  if (form == Form::strided)
    return make(Shape{rows + 1, 2 * columns + 1}).slice(0, 1).slice(1, 1, Tensor::to_end, 2);
  if (form == Form::row_repeated) return make(Shape{1, columns}).expand(shape);
  if (form == Form::column_repeated) return make(Shape{rows, 1}).expand(shape);
  return make(shape);
}

bool is_elementwise(Op op) { return op <= Op::lerp; }
// Results that are right to the bit whatever the elements are.
bool is_exact(Op op) {
  return is_elementwise(op) || op == Op::max || op == Op::min || op == Op::argmax ||
         op == Op::argmin || op == Op::index_select || op == Op::gather || op >= Op::cat;
}

Inputs inputs(Op op, DType dtype, Size size, Form form, Values values) {
  const auto of = [&](DType d, unsigned seed) {
    return [=](const Shape& shape) { return numbers(values, shape, d, seed); };
  };
  const auto places = [&](std::int64_t limit, unsigned seed) {
    return [=](const Shape& shape) { return samples::indices(shape, limit, Device::cpu, seed); };
  };
  const Shape shape{size.rows, size.columns};
  const bool is_bool = dtype == DType::boolean;
  Inputs in{matrix(form, shape, of(dtype, 1)),
            matrix(form, shape, of(dtype, 2)),
            matrix(form, shape, of(dtype, 3)),
            matrix(form, {size.columns, size.rows}, of(dtype, 4)),
            matrix(form, shape, of(DType::boolean, 5)),
            places(size.rows, 6)({size.rows}),
            matrix(form, shape, places(size.columns, 7)),
            is_bool ? Scalar(false) : Scalar(1),
            is_bool ? Scalar(true) : Scalar(2)};
  if (form == Form::strided && is_elementwise(op)) {  // broadcast, too
    in.y = in.y.slice(0, 0, 1);
    in.z = in.z.slice(1, 0, 1);
    in.condition = of(DType::boolean, 5)({size.columns});
  }
  return in;
}

Inputs inputs_without_dimensions(DType dtype, Values values) {
  const auto of = [&](unsigned seed) { return numbers(values, {}, dtype, seed); };
  const Tensor zero = zeros({}, {.dtype = DType::int64});
  return {of(1), of(2), of(3), of(4), numbers(values, {}, DType::boolean, 5), zero, zero};
}

// How far a sum, or what is made of sums, may be from FP64: the table's last column.
Tensor bound(Op op, const Inputs& in, const Tensor& want) {
  const DType dtype = in.x.dtype();
  const auto n = static_cast<double>(in.x.rank() == 0 ? 1 : in.x.size(-1));
  const double u = dtype == DType::fp64 ? 0x1p-53 : 0x1p-24;
  const double tree = 32 + 5 + std::ceil(std::log2(n / 1024 + 1));
  const double own = dtype == DType::fp64 ? n : 0;  // the reference is FP64, too
  const auto times = [](const Tensor& x, double factor) { return ref::mul(x, Scalar(factor)); };
  Inputs sizes = in;
  for (Tensor* t : {&sizes.x, &sizes.y, &sizes.square}) *t = ref::abs(*t);
  const Tensor all = samples::run_reference(op, sizes).at(0);  // of magnitudes
  switch (op) {
    case Op::sum:
    case Op::mean:
      return times(all, (tree + own) * u);
    case Op::prod:
    case Op::matmul:
      return times(all, (n + own) * u);
    case Op::var:
    case Op::norm:
      return times(ref::abs(want), (dtype == DType::fp64 ? 2 * (tree + own) : 1) * u);
    case Op::softmax: {
      const Tensor roundings = ref::add(ref::abs(ref::log(want)), Scalar(8.0 + own));
      return ref::add(times(ref::mul(want, roundings), u), Scalar(0x1p-149));
    }
    case Op::log_softmax:
      return times(ref::maximum(ref::abs(want), Scalar(1.0)), (8 + own) * u);
    case Op::cumsum:  // of fp32 in FP64
      return times(all, 2 * n * (size_of(dtype) == 2 ? 0x1p-24 : 0x1p-53));
    default:  // scatter_add, index_add
      return times(all, 2 * (n + static_cast<double>(in.index.numel())) * u);
  }
}

std::string wrong(Op op, const Inputs& in, const Tensor& got, const Tensor& want) {
  if (op == Op::max || op == Op::min) return beyond(got, want, 0);  // either of two zeros
  if (is_exact(op) || !is_floating(got.dtype())) return recorded::difference(got, want);
  return beyond_bound(got, want, bound(op, in, want));
}

// Whether the operation took the inputs and gave what the reference gives.
bool compare(Op op, const Inputs& in) {
  std::vector<Tensor> got;
  try {
    got = samples::run(op, in);
  } catch (const Error& error) {
    EXPECT_TRUE(in.x.numel() == 0 || in.x.rank() == 0) << error.what();
    return false;
  }
  const std::vector<Tensor> want = samples::run_reference(op, in);
  EXPECT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(wrong(op, in, got[k], want[k]), "");
  return true;
}

// The values that show most: of sums, infinities would hide the rest.
std::vector<Values> values_for(Op op, DType dtype, Form form) {
  if (is_exact(op) && form != Form::rows) return {Values::any};
  if (is_exact(op)) return {Values::any, Values::ordinary};
  if (!is_floating(dtype)) return {Values::any};
  return {Values::ordinary, Values::both_signs};
}

TEST(Operations, GiveWhatTheirReferenceGives) {
  for (const Operation& o : operations())
    for (const DType dtype : all_dtypes) {
      if (!is_defined(o.op, dtype, Device::cpu)) continue;
      int compared = 0;
      for (const Size size : {Size{5, 7}, {1, 1}, {3, 1}, {1, 40}, {5, 67}, {0, 3}, {3, 0}, {0, 0}})
        for (const Form form : forms)
          for (const Values values : values_for(o.op, dtype, form)) {
            SCOPED_TRACE(fmt::format("{} of {} elements, {} by {}, form {}, values {}", o.name,
                                     name(dtype), size.rows, size.columns, int(form), int(values)));
            compared += compare(o.op, inputs(o.op, dtype, size, form, values));
          }
      EXPECT_GT(compared, 30) << o.name << " of " << name(dtype);
    }
}

TEST(Operations, GiveWhatTheirReferenceGivesWithoutDimensions) {
  int compared = 0;
  for (const Operation& o : operations())
    for (const DType dtype : all_dtypes) {
      if (!is_defined(o.op, dtype, Device::cpu)) continue;
      for (const Values values : values_for(o.op, dtype, Form::rows)) {
        SCOPED_TRACE(fmt::format("{} of {} elements", o.name, name(dtype)));
        compared += compare(o.op, inputs_without_dimensions(dtype, values));
      }
    }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace napkin
