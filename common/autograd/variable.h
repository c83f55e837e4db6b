// Variable: a tensor that remembers how it was computed, so that gradients can be worked out
// backwards (lecture 5.3). Define-by-run, with PyTorch's names and rules:
//
//   Variable w(randn({3, 2}), true), x(randn({4, 3}));
//   Variable loss = mean(relu(matmul(x, w)));
//   loss.backward();
//   w.grad();                      // d loss / d w, added to what was there
//
// A leaf is what no function made. Gradients come to leaves that require them, and to others that
// asked by retain_grad(); only what leads to such a leaf is recorded and computed. Copies of a
// Variable are the same one. A Tensor becomes a constant where a Variable is wanted.
#pragma once
#include <memory>

#include "common/tensor/operations/elementwise.h"
#include "common/tensor/tensor.h"

namespace napkin::autograd {

class Node;
struct State;

struct BackwardOptions {
  Tensor gradient = {};       // of the result, in its shape; 1 where it is one number
  bool retain_graph = false;  // keep what was saved: backward can be called once more
};

class Variable {
 public:
  Variable() = default;
  // A leaf. Refuses to require the gradient of integers and bool.
  Variable(Tensor value, bool requires_grad = false);

  bool defined() const { return state_ != nullptr; }
  const Tensor& value() const;
  const Tensor& grad() const;  // undefined before a backward
  bool requires_grad() const;
  bool is_leaf() const;

  // Adds the gradients of this value to those of the leaves it was computed from.
  void backward(const BackwardOptions& options = {}) const;
  void retain_grad() const;  // of what is no leaf
  void zero_grad() const;    // forgets the gradient: the next one is not added to it
  Variable detach() const;   // the same elements, a constant
  void set_requires_grad(bool requires_grad) const;  // of a leaf

  const Layout& layout() const { return value().layout(); }
  const Shape& shape() const { return value().shape(); }
  int rank() const { return value().rank(); }
  std::int64_t size(int d) const { return value().size(d); }
  std::int64_t numel() const { return value().numel(); }
  DType dtype() const { return value().dtype(); }
  Device device() const { return value().device(); }

  // As of tensors (tensor.h).
  Variable view(const Shape& shape) const;
  Variable reshape(const Shape& shape) const;
  Variable flatten(int first = 0, int last = -1) const;
  Variable transpose(int a, int b) const;
  Variable t() const;
  Variable permute(const Dims& order) const;
  Variable select(int d, std::int64_t index) const;
  Variable operator[](std::int64_t index) const { return select(0, index); }
  Variable slice(int d, std::int64_t start, std::int64_t stop = Tensor::to_end,
                 std::int64_t step = 1) const;
  Variable expand(const Shape& shape) const;
  Variable unsqueeze(int d) const;
  Variable squeeze() const;
  Variable squeeze(int d) const;
  Variable unfold(int d, std::int64_t size, std::int64_t step) const;
  // Of a tensor in which no two elements share a place.
  Variable as_strided(const Shape& shape, const Strides& strides, std::int64_t offset) const;
  Variable contiguous() const;
  Variable clone() const;
  Variable to(DType dtype) const;
  Variable to(Device device) const;

 private:
  friend Variable made_by(Tensor value, std::shared_ptr<Node> node);
  friend std::shared_ptr<Node> node_of(const Variable& x);
  State& state() const;

  std::shared_ptr<State> state_;
};

// In its scope nothing is recorded on this thread: results are constants.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};
bool grad_enabled();

// Whether functions of it are recorded.
inline bool needs_grad(const Variable& x) { return x.requires_grad() && grad_enabled(); }

}  // namespace napkin::autograd
