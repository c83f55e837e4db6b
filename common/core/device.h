// Where a tensor lives: cpu, cuda (an NVIDIA GPU), or meta (a shape without data, for accounting).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace napkin {

enum class Device : std::uint8_t { cpu, cuda, meta };

// "cpu", "cuda" or "meta".
std::string_view name(Device device);

// The device of that name; refuses any other name with the list of those allowed.
Device device_named(std::string_view text);

}  // namespace napkin
