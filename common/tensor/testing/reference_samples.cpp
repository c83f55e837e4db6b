#include "common/tensor/testing/reference_samples.h"

#include <iterator>

#include "common/tensor/reference/reference.h"

namespace napkin::samples {
namespace {

using Tensors = std::vector<Tensor>;

Tensors both(const Sorted& pair) { return {pair.values, pair.indices}; }

// In the order of Op.
constexpr Tensors (*runs[])(const Inputs&) = {
    // clang-format off
    [](const Inputs& in) -> Tensors { return {reference::add(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::sub(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::mul(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::div(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::neg(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::abs(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::sign(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::exp(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::log(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::sqrt(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::rsqrt(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::tanh(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::sigmoid(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::relu(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::gelu(in.x)}; },
    [](const Inputs& in) -> Tensors { return {reference::clamp(in.x, in.low, in.high)}; },
    [](const Inputs& in) -> Tensors { return {reference::maximum(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::minimum(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::eq(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::ne(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::lt(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::le(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::gt(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::ge(in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::where(in.condition, in.x, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::addcmul(in.x, in.y, in.z)}; },
    [](const Inputs& in) -> Tensors { return {reference::lerp(in.x, in.y, Scalar(0.25))}; },
    [](const Inputs& in) -> Tensors { return {reference::sum(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::mean(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::prod(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::max(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::min(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::argmax(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::argmin(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::var(in.x, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::norm(in.x, 2, {-1})}; },
    [](const Inputs& in) -> Tensors { return {reference::softmax(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {reference::log_softmax(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {reference::cumsum(in.x, -1)}; },
    [](const Inputs& in) -> Tensors { return {reference::matmul(in.x, in.square)}; },
    [](const Inputs& in) -> Tensors { return {reference::index_select(in.x, 0, in.index)}; },
    [](const Inputs& in) -> Tensors { return {reference::gather(in.x, -1, in.places)}; },
    [](const Inputs& in) -> Tensors { return {reference::scatter_add(in.x, -1, in.places, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::index_add(in.x, 0, in.index, in.y)}; },
    [](const Inputs& in) -> Tensors { return {reference::cat({in.x, in.y}, 0)}; },
    [](const Inputs& in) -> Tensors { return {reference::stack({in.x, in.y}, 0)}; },
    [](const Inputs& in) -> Tensors { return both(reference::sort(in.x)); },
    [](const Inputs& in) -> Tensors { return both(reference::topk(in.x, in.k())); },
    [](const Inputs& in) -> Tensors { return {reference::copy(in.x, in.x.dtype())}; },
    [](const Inputs& in) -> Tensors { return {reference::fill(in.x.shape(), 1, in.x.dtype())}; },
    // clang-format on
};
static_assert(std::size(runs) == static_cast<std::size_t>(Op::fill) + 1, "one is missing");

}  // namespace

std::vector<Tensor> run_reference(Op op, const Inputs& inputs) {
  return runs[static_cast<std::size_t>(op)](inputs);
}

}  // namespace napkin::samples
