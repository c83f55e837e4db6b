// What a processor is called, by Linux's /proc/cpuinfo.
#pragma once
#include <istream>
#include <string>

namespace napkin {

// "AMD EPYC 9654"; of an Arm processor, which has numbers there, "Arm Neoverse N1"; "" where the
// text names none.
std::string processor_name(std::istream& cpuinfo);

}  // namespace napkin
