#include "common/core/device.h"

#include "common/core/error.h"
#include "common/core/names.h"

namespace napkin {

std::string_view name(Device device) {
  switch (device) {
    case Device::cpu:
      return "cpu";
    case Device::cuda:
      return "cuda";
    case Device::meta:
      return "meta";
  }
  return "unknown device";
}

Device device_named(std::string_view text) {
  for (Device device : {Device::cpu, Device::cuda, Device::meta})
    if (same_name(name(device), text)) return device;
  fail("device \"{}\" does not exist: cpu, cuda or meta", text);
}

}  // namespace napkin
