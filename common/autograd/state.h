// What all copies of a Variable share.
#pragma once
#include <memory>

#include "common/tensor/tensor.h"

namespace napkin::autograd {

class Node;

struct State {
  Tensor value, grad;
  bool requires_grad = false;
  std::shared_ptr<Node> node;  // that made it; null of a leaf
  std::weak_ptr<Node> leaf;    // of a leaf: where its gradients arrive, while a graph wants them
};

// Adds a gradient of the value's shape to `grad`. One that nobody else has is taken as it is.
void accumulate(State& state, Tensor gradient);

}  // namespace napkin::autograd
