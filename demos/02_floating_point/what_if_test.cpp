// What the subcommands of demo 02 write into their JSON, and what they refuse.
#include <gtest/gtest.h>

#include "demos/testing/what_if.h"

namespace napkin {
namespace {

TEST_F(WhatIf, ShowTellsWhatAFormatKeeps) {
  expect_value({"show", "0.1", "--format", "bf16"},
               "{\"bf16\":0.10009765625,\"bf16_code\":15821,\"bf16_bits\":\"0011110111001101\","
               "\"bf16_error\":9.76562");
  expect_value({"show", "0.1", "--format", "bf16"},
               "\"bf16_below\":0.099609375,\"bf16_above\":0.1005859375,"
               "\"bf16_spacing\":0.00048828125}");
  expect_value({"show", "--format", "fp16", "--", "-70000"}, "\"fp16\":\"-inf\"");
  expect_value({"show", "1"}, "\"fp64_code\":4607182418800017408,");
  expect_value({"show", "--", "-1"}, "\"fp64_code\":\"13830554455654793216\"");
}

TEST_F(WhatIf, EncodeNamesWhatOverflowGives) {
  const Words numbers = {"448", "464", "464.00003", "1000", "nan", "--", "-inf"};
  Words words = {"encode", "--format", "e4m3fn"};
  words.insert(words.end(), numbers.begin(), numbers.end());
  expect_value(words, "\"codes\":[126,126,127,127,127,255],\"decoded\":[448.0,448.0,\"nan\"");
  words.insert(words.begin() + 1, "--saturate");
  expect_value(words, "\"codes\":[126,126,126,126,127,254]");
}

TEST_F(WhatIf, EncodeRoundsOnceFromWhereItComes) {
  expect_value({"encode", "--format", "bf16", "16973823"}, "\"decoded\":[17039360.0]");
  expect_value({"encode", "--format", "bf16", "--from", "fp64", "16973823"},
               "\"decoded\":[16908288.0]");
}

TEST_F(WhatIf, AccumulateSaysWhereItSticks) {
  expect_value({"accumulate", "--format", "bf16"},
               "{\"sum\":4.0,\"stuck_at\":4.0,\"stuck_after\":350,");
  expect_value({"accumulate", "--format", "bf16", "--sum", "fp32"}, "{\"sum\":100.09765625,");
  expect_value({"accumulate", "--add", "-0.5", "--times", "3", "--format", "fp16"},
               "{\"sum\":-1.5,");
}

TEST_F(WhatIf, WhatAFormatLacksIsSaid) {
  expect_line({"accumulate", "--add", "6", "--format", "e2m1"}, "the largest number of e2m1");
  expect_line({"accumulate", "--add", "1", "--format", "e2m1"}, "e2m1 sticks at 4: numbers there");
  expect_line({"encode", "--format", "e2m1", "nan"}, "e2m1 has no NaN: it becomes 6.");
  expect_line({"show", "nan", "--format", "e2m1"}, "e2m1 has no NaN: it becomes 6.");
  expect_line({"show", "70000", "--format", "e4m3fn"}, "0x7f   nan    -       -       -       -\n");
  for (const char* number : {"inf", "0", "nan"})
    EXPECT_EQ(run({"show", number}).output.find("-nan"), std::string::npos) << number;
}

TEST_F(WhatIf, QuantizeSaysWhatFp32Changes) {
  const double numbers[] = {1e300, 0.1, 1, 1e-300};
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }";
  header.resize(118, ' ');
  const std::string file = folder / "x.npy";
  io::put(file, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
                    std::string(reinterpret_cast<const char*>(numbers), sizeof numbers));
  expect_line({"quantize", file, "--format", "mxfp8"},
              "3 values of the file were rounded to fp32 first; 2 became 0 or infinity.");
}

TEST_F(WhatIf, QuantizeListsCodesAndScales) {
  const std::string found =
      values({"quantize", "--seed", "1", "--count", "33", "--format", "mxfp4"});
  EXPECT_NE(found.find("\"scales\":["), std::string::npos);
  EXPECT_NE(found.find("\"codes\":["), std::string::npos);
  EXPECT_NE(found.find("\"tensor_scale\":1.0"), std::string::npos);
  EXPECT_EQ(values({"quantize", "--count", "4097"}).find("\"codes\""), std::string::npos);
}

TEST_F(WhatIf, BadInputIsRefused) {
  const std::string file = folder / "x.npy";
  io::put(file, "no array");
  expect_refusal({"quantize", file}, "x.npy: not a .npy file");
  expect_refusal({"quantize", file, "--seed", "2"}, "--seed: the values are those of");
  expect_refusal({"quantize", "--format", "int4"}, "--format int4: ");
  expect_refusal({"quantize", "--block", "0"}, "--block 0: ");
  expect_refusal({"quantize", "--format", "nvfp4", "--scale-rule", "up"}, "--scale-rule up: ");
  expect_refusal({"quantize", ""}, "file \"\": ");
  expect_refusal({"quantize", "--amplitude", "3e38"}, "--amplitude 3e+38: ");
  expect_refusal({"--section", "3.6", "--fp8-gradients", "3e38"}, "--fp8-gradients 3e+38: ");
  expect_refusal({"show", "0x3f80", "--format", "bf16"}, "number 0x3f80: ");
  expect_refusal({"accumulate", "--add", "0x3f80"}, "--add 0x3f80: ");
  expect_refusal({"accumulate", "--sum", ""}, "--sum \"\": ");
  expect_refusal({"--exercise3", "1,4,9007199254740993"}, "three whole numbers from");
  expect_refusal({"show", "much"}, "number much: ");
  expect_refusal({"encode", "--format", "e4m3fn", "1", "x"}, "number 1,x: ");
  expect_refusal({"accumulate", "--times", "-1"}, "--times -1: ");
  expect_refusal({"accumulate", "--sum", "e8m0"}, "--sum e8m0: ");
  expect_refusal({"--exercise3", "1"}, "--exercise3 1: three whole numbers");
  expect_refusal({"--loss-scale", "-1"}, "--loss-scale -1: ");
}

}  // namespace
}  // namespace napkin
