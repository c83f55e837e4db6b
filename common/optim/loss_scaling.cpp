#include "common/optim/loss_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/core/warning.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/reduce.h"

namespace napkin {
namespace {

// The smallest normal number. Of a scale below a quarter of it the inverse would be infinite.
constexpr float smallest_scale = std::numeric_limits<float>::min();

}  // namespace

LossScaler::LossScaler(const LossScaling& how) : how_(how) {
  check(how.scale >= smallest_scale && std::isfinite(how.scale),
        "loss scaling: a scale of {}; from {} on, and finite, are allowed", how.scale,
        smallest_scale);
  check(how.growth > 1, "loss scaling: a growth factor of {}; it is above 1", how.growth);
  check(how.backoff > 0 && how.backoff < 1,
        "loss scaling: a backoff factor of {}; it is between 0 and 1", how.backoff);
  check(how.growth_interval > 0, "loss scaling: growth after {} steps; 1 at least is needed",
        how.growth_interval);
}

Tensor LossScaler::scale(const Tensor& loss) const {
  return mul(loss, full({}, how_.scale, {.device = loss.device()}));
}

void LossScaler::unscale_(std::span<Tensor> gradients) {
  check(!is_unscaled_, "LossScaler: unscale_() has been called since the last update()");
  for (const Tensor& g : gradients) {
    check_writable(g, "unscale_");
    check(is_floating(g.dtype()) && !is_fp8(g.dtype()) && g.dtype() != DType::fp16,
          "unscale_: {} gradients; fp32, bf16 and fp64 are allowed", name(g.dtype()));
    check(g.device() == gradients.front().device(), "unscale_: gradients on {} and on {}",
          name(gradients.front().device()), name(g.device()));
  }
  largest_ = {};
  const auto inverse = static_cast<float>(1 / static_cast<double>(how_.scale));
  for (Tensor& g : gradients) {
    if (g.numel() == 0) continue;
    g.mul_(inverse);  // below 1 the scale makes them larger: what counts is what the step will see
    // An infinity is the largest magnitude, and NaN wins in both operations.
    const Tensor largest = norm(g, std::numeric_limits<double>::infinity());
    largest_ = largest_.defined() ? maximum(largest_, largest) : largest;
  }
  found_.reset();
  is_unscaled_ = true;
}

bool LossScaler::found_infinity() const {
  if (!found_)
    found_ = largest_.defined() && largest_.device() != Device::meta &&
             !std::isfinite(largest_.item().to_double());
  return *found_;
}

void LossScaler::update() {
  check(is_unscaled_, "LossScaler: update() needs unscale_() before it");
  is_unscaled_ = false;
  if (!how_.is_dynamic) return;
  if (found_infinity()) {
    const bool fell = how_.scale > smallest_scale;
    how_.scale = std::max(static_cast<float>(how_.scale * how_.backoff), smallest_scale);
    good_steps_ = 0;
    if (!fell)
      warn(fmt::format(
          "loss scaling: infinity or NaN among the gradients at a scale of {}, the smallest; the "
          "parameters or the loss must have it without scaling",
          how_.scale));
  } else if (++good_steps_ == how_.growth_interval) {
    const auto larger = static_cast<float>(how_.scale * how_.growth);
    if (std::isfinite(larger)) how_.scale = larger;
    good_steps_ = 0;
  }
}

}  // namespace napkin
