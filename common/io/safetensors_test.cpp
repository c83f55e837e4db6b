#include "common/io/safetensors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "common/io/testing/safetensors_survives.h"
#include "common/io/testing/temporary_folder.h"

namespace napkin::io {
namespace {

const std::string golden = NAPKIN_SOURCE "/reference/golden/";

// `more` is announced beyond the header.
std::string with_length(const std::string& header, const std::string& data,
                        std::uint64_t more = 0) {
  const std::uint64_t length = header.size() + more;
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

SafetensorsContent parse(const std::string& file) {
  return parse_safetensors(std::as_bytes(std::span(file)));
}

// What a file of this header and so many bytes of data is refused with.
std::string why(const std::string& header, std::size_t bytes) {
  const std::string file = with_length(header, std::string(bytes, '\1'));
  return refusal([&] { parse(file); });
}

std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" +
         offsets + "}";
}

TEST(Safetensors, EveryTypeOfThePythonLibraryIsRead) {
  const SafetensorsFile file(golden + "every_type.safetensors");
  EXPECT_EQ(file.tensors().size(), 21u);
  EXPECT_EQ(file.metadata(), (Metadata{{"greeting", "hello \"you\"\n"}}));
  EXPECT_EQ(values<double>(file["float64"]), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<float>(file["float32"]), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<std::int64_t>(file["int64"]), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<std::int32_t>(file["int32"]), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<std::uint16_t>(file["uint16"]), (std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<std::uint8_t>(file["uint8"]), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<BFloat16>(file["bfloat16"])[2], BFloat16(3.0f));
  EXPECT_EQ(values<Float16>(file["float16"])[5], Float16(6.0f));
  EXPECT_EQ(file["float32"].shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(file["no elements"].shape, (std::vector<std::int64_t>{3, 0, 2}));
  EXPECT_TRUE(file["no elements"].data.empty());
  EXPECT_TRUE(file["0 dimensions"].shape.empty());
  EXPECT_EQ(values<float>(file["0 dimensions"]), std::vector<float>{3.5f});
  EXPECT_EQ(values<float>(file["\"quotes\", \\, \n, \x01, é, €, 😀"]), std::vector<float>{7});
  EXPECT_EQ(values<float>(file[""]), std::vector<float>{8});
  EXPECT_FALSE(file.contains("float"));
}

TEST(Safetensors, TypesWithoutADtypeAreReadAsBytesAndRefusedByName) {
  const SafetensorsFile file(golden + "every_type.safetensors");
  const StoredTensor& codes = file["float8_e8m0fnu"];
  EXPECT_EQ(codes.type, "F8_E8M0");
  ASSERT_EQ(codes.data.size(), 6u);
  EXPECT_EQ(codes.data[0], std::byte{0x7f});  // 1.0
  EXPECT_EQ(
      refusal([&] { dtype_of_stored(codes); }),
      "tensor \"float8_e8m0fnu\" holds F8_E8M0, which is no dtype here: only its bytes can be "
      "read");
  EXPECT_EQ(refusal([&] { values<float>(file["float64"]); }),
            "tensor \"float64\" holds F64, asked for as fp32");
  EXPECT_EQ(refusal([&] { file["float"]; }),
            golden + "every_type.safetensors holds no tensor \"float\"");
}

TEST(Safetensors, MetadataMayBeNull) {
  const SafetensorsFile file(golden + "null_metadata.safetensors");
  EXPECT_TRUE(file.metadata().empty());
  EXPECT_EQ(values<float>(file["a"]), (std::vector<float>{2.5f}));
}

TEST(Safetensors, FilesAreWrittenByteForByteAsThePythonLibraryWritesThem) {
  const TemporaryFolder folder;
  for (const char* name : {"every_type", "random", "formats", "adamw"}) {
    const std::string path = golden + name + ".safetensors";
    const SafetensorsFile file(path);
    save_safetensors(folder / "copy", file.tensors(), file.metadata());
    EXPECT_TRUE(content_of(folder / "copy") == content_of(path)) << name;
  }
}

TEST(Safetensors, DamagedFilesAreRefused) {
  const TemporaryFolder folder;
  const std::string header =
      "{" + tensor("a", "F32", "[2]", "[0,8]") + "," + tensor("b", "U8", "[4]", "[8,12]") + "}";
  const std::string whole = with_length(header, std::string(12, 'x'));
  const auto opening = [&](const std::string& bytes) {
    put(folder / "x", bytes);
    const std::string text = refusal([&] { SafetensorsFile file(folder / "x"); });
    const std::string path = folder / "x" + " is not a safetensors file: ";
    return text.substr(0, path.size()) == path ? text.substr(path.size()) : text;
  };
  EXPECT_EQ(opening(whole), "");
  EXPECT_EQ(opening(whole.substr(0, whole.size() - 4)),
            "tensor \"b\": its data ends at byte 12, the file has only 8: was it cut?");
  EXPECT_EQ(opening(whole + "1234"), "4 bytes after the last tensor belong to none");
  EXPECT_EQ(opening(whole.substr(0, 5)), "5 bytes are too few: the header's length takes 8");
  EXPECT_EQ(opening(std::string("\0\0\0\0\0\0\0\x10", 8) + header),
            "a header of 1152921504606846976 bytes is announced, 107 follow");
  EXPECT_EQ(opening(std::string(8, '\xff') + header),
            "a header of 18446744073709551615 bytes is announced, 107 follow");
  for (std::uint64_t more = 1; more <= 8; ++more)  // than follow, data and all
    EXPECT_EQ(refusal([&] { parse(with_length(header, std::string(12, 'x'), more + 12)); }),
              fmt::format("a header of {} bytes is announced, {} follow", header.size() + more + 12,
                          header.size() + 12));
  EXPECT_EQ(opening(""), folder / "x" + " is empty");
  for (std::size_t cut = 1; cut < whole.size(); ++cut)
    EXPECT_NE(opening(whole.substr(0, cut)), "") << cut;
}

TEST(Safetensors, PlacesThatDoNotFitAreRefused) {
  EXPECT_EQ(why("{" + tensor("a", "F32", "[2]", "[8,0]") + "}", 8),
            "in the header, tensor \"a\": its data ends at byte 0, before it begins at byte 8");
  EXPECT_EQ(why("{" + tensor("a", "F32", "[3]", "[0,8]") + "}", 8),
            "in the header, tensor \"a\": shape [3] of F32 takes 12 bytes, its data has 8");
  EXPECT_EQ(
      why("{" + tensor("a", "U8", "[4]", "[0,4]") + "," + tensor("b", "U8", "[4]", "[2,6]") + "}",
          6),
      "tensor \"b\": its data begins at byte 2, inside that of another tensor");
  EXPECT_EQ(
      why("{" + tensor("a", "U8", "[4]", "[0,4]") + "," + tensor("b", "U8", "[4]", "[0,4]") + "}",
          4),
      "tensor \"b\": its data begins at byte 0, inside that of another tensor");
  EXPECT_EQ(
      why("{" + tensor("a", "U8", "[4]", "[0,4]") + "," + tensor("b", "U8", "[4]", "[6,10]") + "}",
          10),
      "tensor \"b\": bytes 4 to 6 before its data belong to no tensor");
  EXPECT_EQ(why("{" + tensor("a", "U8", "[0]", "[3,3]") + "}", 0),
            "tensor \"a\": bytes 0 to 3 before its data belong to no tensor");
  EXPECT_EQ(why("{}", 1), "1 byte after the last tensor belong to none");
  EXPECT_EQ(why("{}", 0), "");
}

TEST(Safetensors, HugeShapesAreRefusedBeforeMemoryIsTaken) {
  EXPECT_EQ(
      why("{" + tensor("a", "U8", "[4294967296,4294967296]", "[0,0]") + "}", 0),
      "in the header, tensor \"a\": its shape [4294967296, 4294967296] has more elements than "
      "any file");
  EXPECT_NE(why("{" + tensor("a", "F64", "[2305843009213693952]", "[0,0]") + "}", 0), "");
  EXPECT_NE(why("{" + tensor("a", "F32", "[4611686018427387904,0,4]", "[0,0]") + "}", 0), "");
  EXPECT_NE(
      why("{" + tensor("a", "U8", "[1152921504606846975]", "[0,1152921504606846975]") + "}", 8),
      "");
  EXPECT_NE(why("{" + tensor("a", "U8", "[-1]", "[0,0]") + "}", 0), "");
  EXPECT_NE(why("{" + tensor("a", "U8", "[18446744073709551615]", "[0,0]") + "}", 0), "");
}

TEST(Safetensors, TypesThatShareBytesMustFillWholeOnes) {
  EXPECT_EQ(why("{" + tensor("a", "F4", "[3,2]", "[0,3]") + "}", 3), "");
  EXPECT_EQ(why("{" + tensor("a", "F6_E2M3", "[4]", "[0,3]") + "}", 3), "");
  EXPECT_EQ(why("{" + tensor("a", "F4", "[3]", "[0,1]") + "}", 1),
            "in the header, tensor \"a\": its shape [3] of F4 does not fill whole bytes");
}

TEST(Safetensors, HeadersOfAnotherFormAreRefused) {
  const std::string good = tensor("a", "U8", "[1]", "[0,1]");
  EXPECT_EQ(why("{" + good + "}", 1), "");
  EXPECT_EQ(why("{" + good + "}    ", 1), "");
  EXPECT_EQ(why("{" + good + "," + good + "}", 2), "in the header, \"a\" is given twice");
  EXPECT_EQ(why("{" + good + "," + tensor("\\u0061", "U8", "[1]", "[1,2]") + "}", 2),
            "in the header, \"a\" is given twice");
  EXPECT_EQ(why("{" + tensor("a", "F99", "[1]", "[0,1]") + "}", 1),
            "in the header, tensor \"a\": type \"F99\" is not known");
  EXPECT_EQ(why(R"({"a":{"dtype":"U8","shape":[1]}})", 1),
            "in the header, tensor \"a\": dtype, shape and data_offsets are needed, dtype and "
            "shape is there");
  EXPECT_EQ(why(R"({"a":{"dtype":"U8","dtype":"U8"}})", 1),
            "in the header, \"a\": \"dtype\" is given twice");
  EXPECT_EQ(why(R"({"a":{"type":"U8"}})", 1),
            "in the header, tensor \"a\": \"type\" is none of dtype, shape, data_offsets");
  EXPECT_EQ(why("{" + tensor("a", "U8", "[1]", "[0,1,2]") + "}", 1),
            "in the header, tensor \"a\": data_offsets holds 3 numbers, not 2");
  EXPECT_EQ(why("{" + tensor("\xff", "U8", "[1]", "[0,1]") + "}", 1),
            "in the header, byte 2 is not UTF-8 text");
  EXPECT_EQ(why(R"({"__metadata__":{"a":"1","a":"2"}})", 0),
            "in the header, \"__metadata__\": \"a\" is given twice");
  EXPECT_EQ(why(R"({"__metadata__":{},"__metadata__":{}})", 0),
            "in the header, \"__metadata__\" is given twice");
  for (const std::string header :
       {"", " ", "[]", "null", "{\"__metadata__\":{\"a\":1}}", "{\"__metadata__\":{\"a\":null}}",
        "{\"__metadata__\":[null]}", "{\"a\":null}", "{\"a\":{\"shape\":null}}",
        "{\"__metadata__\":[]}", "{\"a\":{}}", "{\"a\":[]}", "{\"a\":{\"shape\":[[1]]}}",
        "{\"a\":{\"dtype\":8}}", "{} {}"})
    EXPECT_NE(why(header, 0), "") << header;
  EXPECT_NE(why(std::string(1'000'000, '['), 0), "");
  EXPECT_NE(why("{\"a\":" + std::string(1'000'000, '{'), 0), "");
}

TEST(Safetensors, WhatCannotBeReadBackIsNotWritten) {
  const TemporaryFolder folder;
  const std::vector<std::byte> bytes(8);
  const auto saving = [&](std::vector<StoredTensor> tensors, const Metadata& metadata = {}) {
    return refusal([&] { save_safetensors(folder / "x", std::move(tensors), metadata); });
  };
  EXPECT_EQ(saving({{"a", "F32", {2}, bytes}, {"a", "U8", {8}, bytes}}),
            "tensor \"a\" is given twice");
  EXPECT_EQ(saving({{"a", "F32", {3}, bytes}}),
            "tensor \"a\": bytes of its data and of its shape: 8 is not 12");
  EXPECT_EQ(saving({{"a", "F32", {-2}, bytes}}), "tensor \"a\": a size of -2 in its shape");
  EXPECT_EQ(saving({{"a", "F33", {2}, bytes}}), "tensor \"a\": type \"F33\" is not known");
  EXPECT_EQ(saving({{"__metadata__", "F32", {2}, bytes}}),
            "tensor \"__metadata__\": a name that the format keeps for itself");
  EXPECT_EQ(saving({{"\xff", "F32", {2}, bytes}}), "a name or text is not UTF-8");
  EXPECT_EQ(saving({}, {{"a", "\xff"}}), "a name or text is not UTF-8");
  EXPECT_EQ(folder.count(), 0);
}

// One random change: a bit, a byte, a piece removed or repeated, or a telling token put in.
void damage(std::string& text, std::mt19937& random) {
  static const std::string tokens[] = {"[",
                                       "{",
                                       "}",
                                       "]",
                                       "\"",
                                       "\\u",
                                       ",",
                                       "0",
                                       "-1",
                                       "1e9",
                                       "\xff",
                                       "9223372036854775807",
                                       "18446744073709551616",
                                       "\"F4\"",
                                       " "};
  const auto place = [&] { return random() % (text.size() + 1); };
  const std::size_t at = place();
  switch (random() % 5) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ 1 << random() % 8);
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(random());
      break;
    case 2:
      text.erase(at, random() % 8);
      break;
    case 3:
      text.insert(at, text.substr(place(), random() % 32));
      break;
    default:
      text.insert(at, tokens[random() % std::size(tokens)]);
  }
}

TEST(Safetensors, DamagedHeadersAreRefusedOrReadBackAsTheSame) {
  const std::string header =
      R"({"__metadata__":{"k\n":"v"},)" + tensor("a", "F32", "[2,1]", "[4,12]") + "," +
      tensor("\\u00e9", "BOOL", "[4]", "[0,4]") + "," + tensor("c", "F64", "[0]", "[12,12]") + "}";
  const std::string data(12, '\1');
  ASSERT_TRUE(survives(with_length(header, data)));
  std::mt19937 random(2026);
  int read = 0;
  constexpr int rounds = 30'000;
  for (int round = 0; round < rounds; ++round) {
    std::string damaged = header;
    for (unsigned changes = random() % 4; changes > 0; --changes) damage(damaged, random);
    std::string file = with_length(damaged, data);
    if (random() % 4 == 0) damage(file, random);
    read += survives(file);
  }
  EXPECT_GT(read, rounds / 10);  // enough of both
  EXPECT_LT(read, rounds / 2);
}

}  // namespace
}  // namespace napkin::io
