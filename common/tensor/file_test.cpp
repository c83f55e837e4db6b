#include "common/tensor/file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "common/io/testing/temporary_folder.h"
#include "common/tensor/random/random.h"

namespace napkin {
namespace {

const std::string golden = NAPKIN_SOURCE "/reference/golden/";

bool same_bits(const Tensor& a, const Tensor& b) {
  const Tensor x = a.contiguous(), y = b.contiguous();
  return x.dtype() == y.dtype() && x.shape() == y.shape() &&
         (x.bytes() == 0 ||
          std::memcmp(x.raw_data(), y.raw_data(), static_cast<std::size_t>(x.bytes())) == 0);
}

TEST(TensorFile, EveryDtypeAndShapeComesBackBitForBit) {
  const io::TemporaryFolder folder;
  manual_seed(1);
  NamedTensors tensors;
  for (const DType dtype : all_dtypes) {
    const std::string of(name(dtype));
    tensors.emplace(of, randint(0, 2, {3, 1, 5}).to(dtype));
    tensors.emplace(of + ", no elements", empty({2, 0}, {.dtype = dtype}));
    tensors.emplace(of + ", 0 dimensions", randint(0, 2, {}).to(dtype));
  }
  const float nan = std::bit_cast<float>(0xffc12345u);
  tensors.emplace("specials",
                  from_data({nan, -0.0f, 1e-45f, std::numeric_limits<float>::infinity()}));
  save_safetensors(folder / "x", tensors, {{"step", "7"}});
  const NamedTensors back = load_safetensors(folder / "x");
  ASSERT_EQ(back.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) EXPECT_TRUE(same_bits(back.at(name), tensor)) << name;
  EXPECT_EQ(io::SafetensorsFile(folder / "x").metadata(), (io::Metadata{{"step", "7"}}));
}

// The first 1000 elements of 1,000,000 take 4000 bytes, not 4,000,000.
TEST(TensorFile, OfAViewOnlyItsElementsAreWritten) {
  const io::TemporaryFolder folder;
  const Tensor whole = arange(1'000'000, {.dtype = DType::fp32});
  const Tensor part = whole.slice(0, 0, 1000);
  save_safetensors(folder / "x", {{"part", part}});
  EXPECT_LT(std::filesystem::file_size(folder / "x"), 4000u + 200u);
  EXPECT_TRUE(same_bits(load_safetensors(folder / "x").at("part"), part));

  const Tensor m = whole.slice(0, 0, 24).view({2, 3, 4});
  const NamedTensors views = {{"transposed", m.transpose(0, 2)},
                              {"stepped", m.slice(2, 1, 4, 2)},
                              {"expanded", m.select(0, 1).unsqueeze(1).expand({3, 5, 4})}};
  save_safetensors(folder / "x", views);
  const NamedTensors back = load_safetensors(folder / "x");
  for (const auto& [name, view] : views) {
    EXPECT_TRUE(back.at(name).is_contiguous());
    EXPECT_TRUE(same_bits(back.at(name), view)) << name;
  }
}

TEST(TensorFile, FilesOfThePythonLibraryAreReadAndWrittenByteForByte) {
  const io::TemporaryFolder folder;
  const NamedTensors tensors = load_safetensors(golden + "random.safetensors");
  EXPECT_EQ(tensors.at("seed42.rand.1").item().to_double(), 0.8822692632675171);
  save_safetensors(folder / "copy", tensors);
  EXPECT_TRUE(io::content_of(folder / "copy") == io::content_of(golden + "random.safetensors"));
}

TEST(TensorFile, TheCategoryOfTheMemoryIsTheCallers) {
  const NamedTensors tensors = load_safetensors(golden + "adamw.safetensors", Category::parameter);
  for (const auto& [name, tensor] : tensors)
    EXPECT_EQ(tensor.storage()->category(), Category::parameter) << name;
}

TEST(TensorFile, WhatHasNoElementsHereIsRefusedAndTheOldFileStays) {
  const io::TemporaryFolder folder;
  save_safetensors(folder / "x", {{"old", ones({2})}});
  const std::string old = io::content_of(folder / "x");
  const auto why = [&](const Tensor& tensor) {
    return io::refusal([&] { save_safetensors(folder / "x", {{"a", ones({2})}, {"b", tensor}}); });
  };
  EXPECT_EQ(why(Tensor()), "tensor \"b\" is undefined and cannot be saved");
  EXPECT_EQ(why(ones({2}, {.device = Device::meta})),
            "tensor \"b\" is on meta and has no elements to save");
  EXPECT_EQ(io::content_of(folder / "x"), old);
  EXPECT_EQ(folder.count(), 1);
}

TEST(TensorFile, TypesWithoutADtypeAreRefusedByName) {
  const std::string why = io::refusal([] { load_safetensors(golden + "every_type.safetensors"); });
  EXPECT_NE(why.find("which is no dtype here"), std::string::npos) << why;
}

TEST(TensorFile, BoolsOtherThanZeroAndOneAndTooManyDimensionsAreRefused) {
  const std::byte bytes[] = {std::byte{1}, std::byte{0}, std::byte{2}};
  EXPECT_EQ(io::refusal([&] {
              load_tensor({"mask", "BOOL", {3}, bytes});
            }),
            "tensor \"mask\" of type BOOL: byte 2 is neither 0 nor 1");
  const io::StoredTensor deep{"deep", "U8", std::vector<std::int64_t>(17, 1), std::span(bytes, 1)};
  EXPECT_EQ(io::refusal([&] { load_tensor(deep); }),
            "tensor \"deep\" has 17 dimensions, at most 16 are allowed");
}

}  // namespace
}  // namespace napkin
