#include "common/numeric/dtype.h"

#include <gtest/gtest.h>

#include "common/io/safetensors.h"

namespace napkin {
namespace {

constexpr std::size_t count = std::size(all_dtypes);

TEST(DType, NamesLeadBackToTheDtype) {
  for (const DType dtype : all_dtypes) EXPECT_EQ(dtype_named(name(dtype)), dtype);
  EXPECT_EQ(dtype_named("float64"), DType::fp64);
  EXPECT_EQ(dtype_named("double"), DType::fp64);
  EXPECT_EQ(dtype_named("float32"), DType::fp32);
  EXPECT_EQ(dtype_named("float"), DType::fp32);
  EXPECT_EQ(dtype_named("bfloat16"), DType::bf16);
  EXPECT_EQ(dtype_named("float16"), DType::fp16);
  EXPECT_EQ(dtype_named("half"), DType::fp16);
  EXPECT_EQ(dtype_named("float8_e4m3fn"), DType::e4m3fn);
  EXPECT_EQ(dtype_named("float8_e5m2"), DType::e5m2);
  EXPECT_EQ(dtype_named("long"), DType::int64);
  EXPECT_EQ(dtype_named("int"), DType::int32);
  EXPECT_EQ(dtype_named("bool"), DType::boolean);
  EXPECT_EQ(dtype_named("FP32"), DType::fp32);  // as pages and papers write it
  EXPECT_EQ(dtype_named("FP8 E4M3"), DType::e4m3fn);
}

TEST(DType, OtherNamesAreRefusedWithTheListOfThoseAllowed) {
  for (const char* text : {"", "fp3", "fp322", " fp32", "int8", "boolean", "e4m3", "float8_e4m3"})
    EXPECT_THROW(dtype_named(text), Error) << text;
  try {
    dtype_named("int8");
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "dtype \"int8\" does not exist (did you mean uint8?): fp64, fp32, bf16, fp16, "
                 "e4m3fn, e5m2, int64, "
                 "int32, uint16, uint8, bool");
  }
}

TEST(DType, TypesAndDtypesBelongTogether) {
  for (const DType dtype : all_dtypes)
    visit(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      EXPECT_EQ(dtype_of<T>, dtype);
      EXPECT_EQ(size_of(dtype), static_cast<std::int64_t>(sizeof(T)));
    });
}

// reference/dtypes.py: torch.promote_types for every pair, torch's itemsize and is_floating_point.
TEST(DType, EveryPairIsPromotedAsInPyTorch) {
  const io::SafetensorsFile golden(NAPKIN_SOURCE "/reference/golden/dtypes.safetensors");
  const auto table = io::values<std::uint8_t>(golden["promote"]);
  ASSERT_EQ(table.size(), count * count);
  int refused = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      const DType a = all_dtypes[i], b = all_dtypes[j];
      const std::size_t want = table[i * count + j];
      if (want < count) {
        EXPECT_EQ(promote(a, b), all_dtypes[want]) << name(a) << " " << name(b);
      } else {
        ++refused;
        EXPECT_THROW(promote(a, b), Error) << name(a) << " " << name(b);
      }
    }
  EXPECT_EQ(refused, 8 + 2 * (9 + 10));
}

TEST(DType, SizesAndKindsArePyTorchs) {
  const io::SafetensorsFile golden(NAPKIN_SOURCE "/reference/golden/dtypes.safetensors");
  const auto bytes = io::values<std::int64_t>(golden["bytes"]);
  const auto floating = io::values<std::uint8_t>(golden["floating"]);
  ASSERT_EQ(bytes.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(size_of(all_dtypes[i]), bytes[i]);
    EXPECT_EQ(is_floating(all_dtypes[i]), floating[i] == 1);
  }
}

TEST(DType, RefusedPairsAreNamed) {
  try {
    promote(DType::fp32, DType::e5m2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "fp32 with e5m2: e4m3fn and e5m2 combine only with themselves; convert one first");
  }
  try {
    promote(DType::boolean, DType::uint16);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "bool with uint16: uint16 combines only with itself and with floating dtypes; "
                 "convert one first");
  }
}

}  // namespace
}  // namespace napkin
