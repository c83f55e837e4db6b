// The backward pass: functions in the reverse order of their running, each as soon as all gradients
// of its result have come.
#include <algorithm>
#include <vector>

#include "common/autograd/node.h"
#include "common/autograd/state.h"
#include "common/core/error.h"
#include "common/core/phase.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/elementwise.h"

namespace napkin::autograd {

class Engine {
 public:
  explicit Engine(bool retain_graph) : retain_graph_(retain_graph) {}
  ~Engine() {  // nothing stays for a later pass, also after a refusal
    for (Node* node : seen_) {
      node->pending_ = {};
      node->waiting_for_ = 0;
    }
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void run(const std::shared_ptr<Node>& root, Tensor gradient) {
    look_at_all(root.get());
    add(*root, std::move(gradient));
    ready_.push_back(root.get());
    while (!ready_.empty()) {
      std::pop_heap(ready_.begin(), ready_.end(), later_first);
      Node& node = *ready_.back();
      ready_.pop_back();
      pass_on(node);
    }
  }

 private:
  // Leaves at once, so that gradients do not pile up; of the others the one that ran last.
  static bool later_first(const Node* a, const Node* b) { return rank(*a) < rank(*b); }
  static std::uint64_t rank(const Node& node) {
    return dynamic_cast<const Leaf*>(&node) != nullptr ? UINT64_MAX : node.number_;
  }

  // Counts for each node how many functions of its result there are below the root.
  void look_at_all(Node* root) {
    std::vector<Node*> to_see = {root};
    seen_.push_back(root);
    root->waiting_for_ = 0;
    while (!to_see.empty()) {
      Node* node = to_see.back();
      to_see.pop_back();
      check(!node->is_released(),
            "backward goes through {} a second time, but what it had saved is gone: ask the first "
            "one to retain_graph",
            node->name());
      for (const Node::Input& input : node->inputs()) {
        if (!input.node) continue;
        if (input.node->waiting_for_++ == 0) {
          seen_.push_back(input.node.get());
          to_see.push_back(input.node.get());
        }
      }
    }
  }

  static void add(Node& node, Tensor gradient) {
    if (!gradient.defined()) return;
    if (!node.pending_.defined()) {
      node.pending_ = std::move(gradient);
      node.owns_pending_ = false;
    } else if (node.owns_pending_) {
      node.pending_.add_(gradient);
    } else {
      node.pending_ = node.pending_ + gradient;
      node.owns_pending_ = true;
    }
  }

  void pass_on(Node& node) {
    Tensor gradient = std::move(node.pending_);
    node.pending_ = {};
    if (auto* leaf = dynamic_cast<Leaf*>(&node)) {
      if (gradient.defined()) leaf->arrive(std::move(gradient));
      return;
    }
    if (const std::shared_ptr<State> result = node.result_.lock())
      if (gradient.defined()) accumulate(*result, gradient);
    const std::span<Node::Input> inputs = node.inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Node* before = inputs[i].node.get();
      if (before == nullptr) continue;
      if (gradient.defined()) {
        Tensor part = node.gradient(i, gradient);
        if (part.defined()) add(*before, as_input(std::move(part), inputs[i]));
      }
      if (--before->waiting_for_ == 0) {
        ready_.push_back(before);
        std::push_heap(ready_.begin(), ready_.end(), later_first);
      }
    }
    if (!retain_graph_) node.release();
  }

  const bool retain_graph_;
  std::vector<Node*> seen_;   // all below the root; its graph keeps them alive
  std::vector<Node*> ready_;  // a heap
};

namespace {

// The gradient to begin with.
Tensor first_gradient(const Variable& x, const Tensor& given) {
  if (!given.defined()) {
    check(x.numel() == 1,
          "backward of shape {}: a single number has a gradient of its own; of others it must be "
          "given",
          to_string(x.shape()));
    return ones(x.shape(), {x.dtype(), x.device(), Category::temporary});
  }
  check(given.shape() == x.shape(), "backward of shape {}: the gradient given has shape {}",
        to_string(x.shape()), to_string(given.shape()));
  check(given.dtype() == x.dtype() && given.device() == x.device(),
        "backward of {} on {}: the gradient given is {} on {}", name(x.dtype()), name(x.device()),
        name(given.dtype()), name(given.device()));
  return given;
}

// Operands have been cast on the way here; gradients keep their types.
class WithoutAutocast {
 public:
  WithoutAutocast() : before_(std::exchange(newest_autocast, nullptr)) {}
  ~WithoutAutocast() { newest_autocast = before_; }
  WithoutAutocast(const WithoutAutocast&) = delete;
  WithoutAutocast& operator=(const WithoutAutocast&) = delete;

 private:
  const Autocast* before_;
};

}  // namespace

void Variable::retain_grad() const {
  check(requires_grad(), "retain_grad: this value requires no gradient");
  if (!is_leaf()) node_of(*this)->result_ = state_;
}

void Variable::backward(const BackwardOptions& options) const {
  check(requires_grad(), "backward: nothing that this value was computed from requires a gradient");
  const WithoutAutocast as_recorded;
  const PhaseScope phase(Phase::backward);
  const NoGrad no_grad;
  const std::shared_ptr<Node> root = node_of(*this);  // outlives the engine
  Engine engine(options.retain_graph);
  engine.run(root, first_gradient(*this, options.gradient));
}

}  // namespace napkin::autograd
