#include "common/autograd/node.h"

#include "common/autograd/state.h"
#include "common/core/error.h"
#include "common/tensor/operations/reduce.h"

namespace napkin::autograd {
namespace {

std::uint64_t next_number() {
  static thread_local std::uint64_t last = 0;
  return ++last;
}

Tensor summed_to(const Tensor& gradient, const Shape& shape) {
  const int extra = gradient.rank() - static_cast<int>(shape.size());
  check(extra >= 0, "a gradient of shape {} came to a value of shape {}",
        to_string(gradient.shape()), to_string(shape));
  Dims over;
  for (int d = 0; d < gradient.rank(); ++d)
    if (d < extra || (shape[d - extra] == 1 && gradient.size(d) != 1)) over.push_back(d);
  const Tensor result = over.empty() ? gradient : sum(gradient, over, true);
  return result.reshape(shape);
}

}  // namespace

Node::Node(const char* name) : name_(name), number_(next_number()) {}

void Leaf::arrive(Tensor gradient) { accumulate(*state_, std::move(gradient)); }

Tensor as_input(Tensor gradient, const Node::Input& input) {
  if (!(gradient.shape() == input.shape)) gradient = summed_to(gradient, input.shape);
  if (gradient.dtype() != input.dtype) gradient = gradient.to(input.dtype);
  if (gradient.device() != input.device) gradient = gradient.to(input.device);
  return gradient;
}

Variable made_by(Tensor value, std::shared_ptr<Node> node) {
  Variable x(std::move(value));
  State& state = x.state();
  state.requires_grad = true;
  state.node = std::move(node);
  return x;
}

std::shared_ptr<Node> node_of(const Variable& x) {
  State& state = x.state();
  if (!state.requires_grad) return nullptr;
  if (state.node) return state.node;
  std::shared_ptr<Node> leaf = state.leaf.lock();
  if (!leaf) state.leaf = leaf = std::make_shared<Leaf>(x.state_);
  return leaf;
}

Node::Input input_of(const Variable& x) { return {node_of(x), x.shape(), x.dtype(), x.device()}; }

void let_go(std::shared_ptr<Node> node) {
  static thread_local std::vector<std::shared_ptr<Node>>* waiting = nullptr;
  if (!node) return;
  if (waiting != nullptr) {  // inside another one's destructor
    waiting->push_back(std::move(node));
    return;
  }
  std::vector<std::shared_ptr<Node>> mine;
  waiting = &mine;
  node.reset();
  while (!mine.empty()) {
    const std::shared_ptr<Node> next = std::move(mine.back());
    mine.pop_back();
  }
  waiting = nullptr;
}

}  // namespace napkin::autograd
