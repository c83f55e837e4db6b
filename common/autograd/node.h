// A function that ran, as the backward pass sees it: what it was computed from, and how the
// gradients of its inputs follow from that of its result.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/autograd/saved.h"
#include "common/autograd/variable.h"

namespace napkin::autograd {

class Node {
 public:
  // An input whose gradient is wanted has a node; the gradient gets its shape, dtype and device.
  struct Input {
    std::shared_ptr<Node> node;
    Shape shape;
    DType dtype = DType::fp32;
    Device device = Device::cpu;
  };

  explicit Node(const char* name);
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const char* name() const { return name_; }
  virtual std::span<Input> inputs() = 0;
  // Before broadcasting is undone; an undefined tensor is 0.
  virtual Tensor gradient(std::size_t input, const Tensor& of_result) = 0;
  // Lets go of what was saved.
  virtual void release() = 0;
  virtual bool is_released() const = 0;

 private:
  friend class Engine;
  friend class Variable;
  const char* name_;
  std::uint64_t number_;  // later functions have larger ones
  // During a backward pass:
  Tensor pending_;  // the gradient that has come so far
  bool owns_pending_ = false;
  int waiting_for_ = 0;          // functions of the result whose gradients are still to come
  std::weak_ptr<State> result_;  // of retain_grad()
};

// The node of a leaf.
class Leaf final : public Node {
 public:
  explicit Leaf(std::shared_ptr<State> state) : Node("leaf"), state_(std::move(state)) {}
  std::span<Input> inputs() override { return {}; }
  Tensor gradient(std::size_t, const Tensor&) override { return {}; }
  void release() override {}
  bool is_released() const override { return false; }
  void arrive(Tensor gradient);

 private:
  std::shared_ptr<State> state_;
};

// The gradient in an input's shape, dtype and device: what was broadcast is summed.
Tensor as_input(Tensor gradient, const Node::Input& input);

Variable made_by(Tensor value, std::shared_ptr<Node> node);
std::shared_ptr<Node> node_of(const Variable& x);  // null where no gradient is wanted
Node::Input input_of(const Variable& x);

// An operand, and its gradient as a function of the result's.
template <class Gradient>
struct Operand {
  const Variable& x;
  Gradient gradient;
};
template <class Gradient>
Operand<Gradient> d(const Variable& x, Gradient gradient) {
  return {x, std::move(gradient)};
}

// Frees a long chain of nodes one by one rather than each within the next one's destructor.
void let_go(std::shared_ptr<Node> node);

template <class... Gradient>
class Recorded final : public Node {
 public:
  explicit Recorded(const char* name, Operand<Gradient>... operands)
      : Node(name),
        inputs_{input_of(operands.x)...},
        gradients_(std::in_place, std::move(operands.gradient)...) {}
  ~Recorded() override {
    for (Input& input : inputs_) let_go(std::move(input.node));
  }

  std::span<Input> inputs() override { return inputs_; }
  Tensor gradient(std::size_t input, const Tensor& of_result) override {
    Tensor result;
    std::size_t k = 0;
    std::apply(
        [&](auto&... gradient) {
          ((k++ == input ? void(result = gradient(of_result)) : void()), ...);
        },
        *gradients_);
    return result;
  }
  void release() override { gradients_.reset(); }
  bool is_released() const override { return !gradients_.has_value(); }

 private:
  std::array<Input, sizeof...(Gradient)> inputs_;
  std::optional<std::tuple<Gradient...>> gradients_;
};

// The result of a function as a Variable, recorded where somebody wants a gradient of it.
template <class... Gradient>
Variable record(const char* name, Tensor value, Operand<Gradient>... operands) {
  if (!(needs_grad(operands.x) || ...)) return Variable(std::move(value));
  return made_by(std::move(value),
                 std::make_shared<Recorded<Gradient...>>(name, std::move(operands)...));
}

// The same of a list of operands: gradient(n, g) is that of the nth one.
template <class Gradient>
class RecordedList final : public Node {
 public:
  RecordedList(const char* name, std::span<const Variable> operands, Gradient gradient)
      : Node(name), gradient_(std::move(gradient)) {
    for (const Variable& x : operands) inputs_.push_back(input_of(x));
  }
  ~RecordedList() override {
    for (Input& input : inputs_) let_go(std::move(input.node));
  }
  std::span<Input> inputs() override { return inputs_; }
  Tensor gradient(std::size_t input, const Tensor& of_result) override {
    return (*gradient_)(input, of_result);
  }
  void release() override { gradient_.reset(); }
  bool is_released() const override { return !gradient_.has_value(); }

 private:
  std::vector<Input> inputs_;
  std::optional<Gradient> gradient_;
};

template <class Gradient>
Variable record_list(const char* name, Tensor value, std::span<const Variable> operands,
                     Gradient gradient) {
  bool needed = false;
  for (const Variable& x : operands) needed = needed || needs_grad(x);
  if (!needed) return Variable(std::move(value));
  return made_by(std::move(value),
                 std::make_shared<RecordedList<Gradient>>(name, operands, std::move(gradient)));
}

}  // namespace napkin::autograd
