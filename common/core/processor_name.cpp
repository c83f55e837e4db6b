#include "common/core/processor_name.h"

#include <fmt/format.h>

#include <string_view>

namespace napkin {
namespace {

// A maker's number and its number of a core, as the main ID register of Arm has them. Those that a
// laptop, a small board or a rented machine is likely to have. tools/doctor.sh reads these lines,
// too.
struct Core {
  std::string_view implementer, part, name;
};
constexpr Core cores[] = {
    {"0x41", "0xd03", "Arm Cortex-A53"},
    {"0x41", "0xd05", "Arm Cortex-A55"},
    {"0x41", "0xd08", "Arm Cortex-A72"},
    {"0x41", "0xd0b", "Arm Cortex-A76"},
    {"0x41", "0xd0c", "Arm Neoverse N1"},
    {"0x41", "0xd40", "Arm Neoverse V1"},
    {"0x41", "0xd49", "Arm Neoverse N2"},
    {"0x41", "0xd4f", "Arm Neoverse V2"},
    {"0x46", "0x001", "Fujitsu A64FX"},
    {"0x48", "0xd01", "HiSilicon Kunpeng 920"},
    {"0x51", "0x001", "Qualcomm Oryon"},
    {"0xc0", "0xac3", "AmpereOne"},
    // Whatever the part: a virtual machine on a Mac says 0x000.
    {"0x61", "", "Apple processor"},
};

std::string arm_name(std::string_view implementer, std::string_view part) {
  for (const Core& core : cores)
    if (core.implementer == implementer && (core.part.empty() || core.part == part))
      return std::string(core.name);
  return fmt::format("Arm processor, implementer {}, part {}", implementer, part);
}

}  // namespace

std::string processor_name(std::istream& cpuinfo) {
  std::string implementer;
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string value = line.substr(colon + 2);
    if (line.starts_with("model name")) return value;
    if (line.starts_with("CPU implementer")) implementer = value;
    if (line.starts_with("CPU part")) return arm_name(implementer, value);
  }
  return "";
}

}  // namespace napkin
