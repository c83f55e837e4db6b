// Loss scaling (Micikevicius et al. 2018, arXiv:1710.03740; lecture 3.5): fp16 keeps no gradient
// below 2^-25. Multiplied by a scale, the loss gives gradients that fp16 does keep; they are
// divided by it, in fp32, before the optimizer sees them. A scale that is too large makes
// infinities: that step is skipped. Rules and defaults of torch.amp.GradScaler, but for scales
// below 1, by which gradients grow: PyTorch looks for infinities before it divides, and its scale
// may fall to 0; here the divided gradients are judged, and the scale stays a normal number.
//
//   LossScaler scaler;
//   gradients = backward(scaler.scale(loss));
//   scaler.unscale_(gradients);
//   scaler.step([&] { optimizer.step(); });  // not where a gradient was infinite or NaN
//   scaler.update();
//
// unscale_ does not wait for the GPU: what it finds stays there until step() or update() asks.
#pragma once
#include <optional>
#include <span>

#include "common/tensor/tensor.h"

namespace napkin {

struct LossScaling {
  float scale = 65536;               // 2^-126 or more
  double growth = 2, backoff = 0.5;  // above 1; between 0 and 1
  int growth_interval = 2000;        // good steps in a row before the scale grows
  bool is_dynamic = true;            // otherwise the scale stays, and bad steps are still skipped
};

class LossScaler {
 public:
  explicit LossScaler(const LossScaling& how = {});

  // The scale of the next step: a power of 2 unless the factors say otherwise.
  float scale() const { return how_.scale; }
  // Good steps since the scale last changed.
  int good_steps() const { return good_steps_; }

  // loss x scale; of a 0-dimensional bf16 or fp16 loss in fp32, as in PyTorch.
  Tensor scale(const Tensor& loss) const;

  // Divides the gradients of a step by the scale, in place, once, and notes whether one element of
  // them is infinite or NaN then. They are on one device; fp16 ones are refused, since small ones
  // would be lost again, and so are undefined ones.
  void unscale_(std::span<Tensor> gradients);

  // Whether the gradients unscaled last had an infinity or NaN; never on meta. Waits for the GPU.
  bool found_infinity() const;

  // Runs an optimizer's step where the gradients are finite; returns whether it did.
  template <class Step>
  bool step(Step&& run) {
    check(is_unscaled_, "LossScaler: step() needs unscale_() before it");
    if (found_infinity()) return false;
    run();
    return true;
  }

  // Ends the step: after an infinity the scale becomes smaller, after growth_interval good steps
  // larger, as long as it is finite. It falls no further than to 2^-126, and a warning says so.
  void update();

 private:
  LossScaling how_;
  int good_steps_ = 0;
  bool is_unscaled_ = false;
  Tensor largest_;  // the largest magnitude among the gradients; undefined where there are none
  mutable std::optional<bool> found_;  // as read from there
};

}  // namespace napkin
