#include "common/core/processor_name.h"

#include <gtest/gtest.h>

#include <sstream>

namespace napkin {
namespace {

std::string name(const std::string& text) {
  std::istringstream cpuinfo(text);
  return processor_name(cpuinfo);
}

std::string arm(const std::string& implementer, const std::string& part) {
  return name("processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd aes\nCPU implementer\t: " +
              implementer + "\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: " + part +
              "\nCPU revision\t: 1\n");
}

TEST(ProcessorName, IsTheModelNameWhereThereIsOne) {
  EXPECT_EQ(name("processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 17\n"
                 "model name\t: AMD EPYC 9654 96-Core Processor\n"),
            "AMD EPYC 9654 96-Core Processor");
}

TEST(ProcessorName, IsThatOfAnArmPart) {
  EXPECT_EQ(arm("0x41", "0xd0c"), "Arm Neoverse N1");  // Graviton 2
  EXPECT_EQ(arm("0x41", "0xd08"), "Arm Cortex-A72");   // Raspberry Pi 4
  EXPECT_EQ(arm("0x61", "0x000"), "Apple processor");  // Docker on a Mac
  EXPECT_EQ(arm("0x61", "0x022"), "Apple processor");
}

TEST(ProcessorName, GivesTheNumbersOfUnknownParts) {
  EXPECT_EQ(arm("0x41", "0xfff"), "Arm processor, implementer 0x41, part 0xfff");
  EXPECT_EQ(arm("0x48", "0xd0c"), "Arm processor, implementer 0x48, part 0xd0c");
}

TEST(ProcessorName, IsEmptyWhereNothingIsNamed) {
  EXPECT_EQ(name(""), "");
  EXPECT_EQ(name("processor\t: 0\nhart\t: 2\nisa\t: rv64imafdc\n"), "");
  EXPECT_EQ(name("model name\n"), "");
}

}  // namespace
}  // namespace napkin
