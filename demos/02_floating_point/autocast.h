// Stand-in until common/numeric/autocast.h is here.
#pragma once
#include <string_view>
#include "common/core/device.h"
#include "common/numeric/dtype.h"
namespace napkin {
inline DType autocast_dtype(std::string_view operation, Device device, DType low, DType) {
  if (operation == "cross_entropy_loss" || operation == "cross_entropy" ||
      (operation == "layer_norm" && device == Device::cuda))
    return DType::fp32;
  if (operation == "softmax" && device == Device::cuda) return DType::fp32;
  return low;
}
}  // namespace napkin
