#include "common/tensor/testing/samples.h"

#include <iterator>

#include "common/tensor/create.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/join.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/operations/sort.h"
#include "common/tensor/random/random.h"

namespace napkin::samples {
namespace {

using Tensors = std::vector<Tensor>;

template <class Pair>
Tensors both(const Pair& pair) {
  return {pair.values, pair.indices};
}

// In the order of Op.
constexpr Tensors (*runs[])(const Inputs&) = {
    // clang-format off
    [](const Inputs& in) -> Tensors { return {add(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {sub(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {mul(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {div(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {neg(in.x)}; },
    [](const Inputs& in) -> Tensors { return {abs(in.x)}; },
    [](const Inputs& in) -> Tensors { return {sign(in.x)}; },
    [](const Inputs& in) -> Tensors { return {exp(in.x)}; },
    [](const Inputs& in) -> Tensors { return {log(in.x)}; },
    [](const Inputs& in) -> Tensors { return {sqrt(in.x)}; },
    [](const Inputs& in) -> Tensors { return {rsqrt(in.x)}; },
    [](const Inputs& in) -> Tensors { return {tanh(in.x)}; },
    [](const Inputs& in) -> Tensors { return {sigmoid(in.x)}; },
    [](const Inputs& in) -> Tensors { return {relu(in.x)}; },
    [](const Inputs& in) -> Tensors { return {gelu(in.x)}; },
    [](const Inputs& in) -> Tensors { return {clamp(in.x, in.low, in.high)}; },
    [](const Inputs& in) -> Tensors { return {maximum(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {minimum(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {eq(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {ne(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {lt(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {le(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {gt(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {ge(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {where(in.condition, in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {addcmul(in.x, in.y, in.z)}; },
    [](const Inputs& in) -> Tensors { return {lerp(in.x, in.y, 0.25)}; },
    [](const Inputs& in) -> Tensors { return {sum(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {mean(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {prod(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {max(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {min(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {argmax(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {argmin(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {var(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {norm(in.x, 2, {-1})}; },
    [](const Inputs& in) -> Tensors { return {softmax(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {log_softmax(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {cumsum(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {matmul(in.x, in.square)}; },
    [](const Inputs& in) -> Tensors { return {index_select(in.x, 0, in.index)}; },
    [](const Inputs& in) -> Tensors { return {gather(in.x, -1, in.places)}; },
    [](const Inputs& in) -> Tensors { return {scatter_add(in.x, -1, in.places, in.y)}; },
    [](const Inputs& in) -> Tensors { return {index_add(in.x, 0, in.index, in.y)}; },
    [](const Inputs& in) -> Tensors { return {cat({in.x, in.y}, 0)}; },
    [](const Inputs& in) -> Tensors { return {stack({in.x, in.y}, 0)}; },
    [](const Inputs& in) -> Tensors { return both(sort(in.x)); },
    [](const Inputs& in) -> Tensors { return both(topk(in.x, in.k())); },
    [](const Inputs& in) -> Tensors { return {in.x.clone()}; },
    [](const Inputs& in) -> Tensors { return {full(in.x.shape(), 1, {.dtype = in.x.dtype(), .device = in.x.device()})}; },
    // clang-format on
};
static_assert(std::size(runs) == static_cast<std::size_t>(Op::fill) + 1);

}  // namespace

std::vector<Tensor> run(Op op, const Inputs& inputs) {
  return runs[static_cast<std::size_t>(op)](inputs);
}

Tensor indices(const Shape& shape, std::int64_t limit, Device device, std::uint64_t seed) {
  Generator g(seed);
  return (rand(shape, {}, g) * static_cast<double>(limit)).to(DType::int64).to(device);
}

Tensor numbers(const Shape& shape, DType dtype, Device device, std::uint64_t seed) {
  Generator g(seed);
  const Tensor unit = rand(shape, {}, g);
  const Tensor x = is_floating(dtype)        ? (unit + 0.5).to(dtype)
                   : dtype == DType::boolean ? (unit * 2).to(DType::int64).to(dtype)
                                             : (unit * 7).to(dtype);
  return x.to(device);
}

Call call(Op op, DType dtype, Device device, Size size, bool transposed) {
  const auto matrix = [&](std::uint64_t seed, DType d) {
    return transposed ? numbers({size.columns, size.rows}, d, device, seed).t()
                      : numbers({size.rows, size.columns}, d, device, seed);
  };
  const bool is_bool = dtype == DType::boolean;
  const Inputs in{matrix(1, dtype),
                  matrix(2, dtype),
                  matrix(3, dtype),
                  matrix(4, dtype).t(),
                  matrix(5, DType::boolean),
                  indices({size.rows}, size.rows, device, 6),
                  indices({size.rows, size.columns}, size.columns, device, 7),
                  is_bool ? Scalar(false) : Scalar(1),
                  is_bool ? Scalar(true) : Scalar(2)};
  return [in, op] { return run(op, in); };
}

}  // namespace napkin::samples
