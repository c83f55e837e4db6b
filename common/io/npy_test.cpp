#include "common/io/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "common/io/safetensors.h"
#include "common/io/testing/npy_survives.h"
#include "common/io/testing/temporary_folder.h"

namespace napkin::io {
namespace {

const SafetensorsFile& golden() {
  static const SafetensorsFile file(NAPKIN_SOURCE "/reference/golden/npy.safetensors");
  return file;
}

std::string why_not(const std::string& file) {
  return refusal([&] { parse_npy(std::as_bytes(std::span(file))); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A file of version 1.0 with any header.
std::string file_with(const std::string& header, const std::string& data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() % 256);
  file += static_cast<char>(header.size() / 256);
  return file + header + data;
}

std::string header_with(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }   \n";
}

const std::string twelve_bytes(12, '\0');

TEST(Npy, FilesOfNumpyAreReadBitForBit) {
  int files = 0;
  for (; golden().contains("file." + std::to_string(files)); ++files) {
    const std::string n = std::to_string(files);
    const NpyArray array = parse_npy(golden()["file." + n].data);
    const auto want = values<double>(golden()["values." + n]);
    EXPECT_EQ(array.shape, values<std::int64_t>(golden()["shape." + n])) << n;
    ASSERT_EQ(array.values.size(), want.size()) << n;
    // An empty vector has no bytes to compare.
    if (!want.empty()) {
      EXPECT_EQ(std::memcmp(array.values.data(), want.data(), 8 * want.size()), 0) << n;
    }
  }
  EXPECT_EQ(files, 35);
  EXPECT_EQ(parse_npy(golden()["file.0"].data).dtype, DType::fp16);
  EXPECT_EQ(parse_npy(golden()["file.9"].data).dtype, DType::fp32);
  EXPECT_EQ(parse_npy(golden()["file.15"].data).dtype, DType::fp64);
}

TEST(Npy, WhatNumpyWritesAndWeDoNotReadIsRefusedByName) {
  const auto refused = [](const std::string& why) {
    return refusal([&] { parse_npy(golden()["refused." + why].data); });
  };
  EXPECT_TRUE(contains(refused("Fortran order"), "numpy.ascontiguousarray"));
  EXPECT_TRUE(contains(refused("<i8"), "\"<i8\": float16, float32 and float64 are read"));
  EXPECT_TRUE(contains(refused("<c8"), "\"<c8\": float16"));
  EXPECT_TRUE(contains(refused("|b1"), "\"|b1\": float16"));
  EXPECT_TRUE(contains(refused("records"), "an array of records"));
  EXPECT_TRUE(contains(refused("(12)"), "a comma, as in (12,)"));
  EXPECT_TRUE(contains(refused("(L,)"), "a size of 0 or more"));
  EXPECT_TRUE(contains(refused("(12l,)"), "a comma, as in (12,)"));
}

TEST(Npy, EveryCutOfAFileIsRefused) {
  const auto whole = golden()["file.9"].data;
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(npy_survives(whole.first(n))) << n << " bytes";
  EXPECT_TRUE(npy_survives(whole));
  std::vector<std::byte> longer(whole.begin(), whole.end());
  longer.push_back(std::byte{0});
  EXPECT_FALSE(npy_survives(longer));
}

TEST(Npy, EveryChangedByteIsSurvived) {
  const auto whole = golden()["file.6"].data;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int value = 0; value < 256; ++value) {
      std::vector<std::byte> changed(whole.begin(), whole.end());
      changed[at] = static_cast<std::byte>(value);
      npy_survives(changed);
    }
}

TEST(Npy, TheBeginningIsNamedWhenItIsWrong) {
  EXPECT_TRUE(contains(why_not("PK\x03\x04 an archive"), "does not begin with \\x93NUMPY"));
  EXPECT_TRUE(contains(why_not(std::string("\x93NUMPY\x04\x00\x01\x00", 10)), "version 4.0"));
  EXPECT_TRUE(contains(why_not(std::string("\x93NUMPY\x01\x07\x01\x00", 10)), "version 1.7"));
  EXPECT_TRUE(contains(why_not(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff {}", 15)),
                       "a header of 4294967295 bytes in a file of 15"));
}

TEST(Npy, ShapesThatDoNotFitTheirBytesAreRefused) {
  EXPECT_EQ(why_not(file_with(header_with("<f4", "(3,)"), twelve_bytes)), "");
  EXPECT_EQ(why_not(file_with(header_with("<f4", "(0,)"), "")), "");
  EXPECT_EQ(why_not(file_with(header_with("<f4", "()"), "1234")), "");
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f4", "(4,)"), twelve_bytes)), "is cut"));
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f4", "()"), "")), "is cut"));
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f4", "(2,)"), twelve_bytes)),
                       "12 bytes for 2 elements of 4"));
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f8", "(1,)"), twelve_bytes)),
                       "12 bytes for 1 element of 8"));
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f4", "(0, 9)"), twelve_bytes)),
                       "a shape of no elements"));
  const std::string huge = "(4611686018427387904, 4611686018427387904)";
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f4", huge), twelve_bytes)), "is cut"));
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f4", "(9223372036854775808,)"), "")),
                       "a size of 0 or more"));
  EXPECT_TRUE(contains(why_not(file_with(header_with("<f4", "(-3,)"), twelve_bytes)),
                       "a size of 0 or more"));
}

TEST(Npy, HeadersOfAnotherFormAreRefused) {
  const auto refused = [](const std::string& header) {
    return why_not(file_with(header, twelve_bytes));
  };
  EXPECT_EQ(refused("{\"shape\":(3,),\"descr\":\">f4\",\"fortran_order\":False}"), "");
  EXPECT_TRUE(contains(refused("{'descr': '<f4', 'shape': (3,)}"), "lacks"));
  EXPECT_TRUE(contains(refused("{'descr': '<f4', 'descr': '<f4'}"), "stands twice"));
  EXPECT_TRUE(contains(refused("{'other': 1}"), "\"other\""));
  EXPECT_TRUE(contains(refused("[]"), "\"[]\" where \"{\" should stand"));
  EXPECT_TRUE(contains(refused(""), "its end where"));
  EXPECT_TRUE(contains(refused("{'descr': '<f4"), "a text in quotes"));
  EXPECT_TRUE(contains(refused("{'fortran_order': Maybe}"), "True or False"));
  EXPECT_TRUE(contains(refused("{'fortran_order': False 'shape'}"), "a comma"));
  EXPECT_TRUE(contains(refused("{'shape': (1 2)}"), "a comma"));
  EXPECT_TRUE(contains(refused(header_with("<f4", "(3,)") + "more"), "nothing more"));
  EXPECT_TRUE(contains(refused(header_with("=f4", "(3,)")), "\"=f4\""));
  EXPECT_TRUE(contains(refused(header_with("<f16", "(3,)")), "\"<f16\""));
}

TEST(Npy, ARefusalNamesTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.npy";
  put(path, "not numpy");
  EXPECT_TRUE(refusal([&] { load_npy(path); }).starts_with(path + ": not a .npy file"));
  put(path, file_with(header_with("<f4", "(3,)"), twelve_bytes));
  EXPECT_EQ(load_npy(path).values.size(), 3u);
  EXPECT_TRUE(contains(refusal([&] { load_npy(folder / "none.npy"); }), "none.npy"));
}

}  // namespace
}  // namespace napkin::io
