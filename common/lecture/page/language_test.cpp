#include "common/lecture/page/language.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/lecture/claims/json.h"

namespace napkin::lecture {
namespace {

TEST(Language, TheFirstLocaleThatIsSetDecides) {
  EXPECT_TRUE(prefers_chinese("zh_CN.UTF-8", nullptr, nullptr));
  EXPECT_TRUE(prefers_chinese(nullptr, nullptr, "zh_TW.utf8"));
  EXPECT_TRUE(prefers_chinese("", "", "zh"));
  EXPECT_TRUE(prefers_chinese(nullptr, "zh_CN", "en_US.UTF-8"));
  EXPECT_TRUE(prefers_chinese("zh_CN.UTF-8@pinyin", nullptr, nullptr));
  EXPECT_FALSE(prefers_chinese("C.UTF-8", nullptr, "zh_CN.UTF-8"));
  EXPECT_FALSE(prefers_chinese(nullptr, nullptr, nullptr));
  EXPECT_FALSE(prefers_chinese(nullptr, nullptr, "en_US.UTF-8"));
  EXPECT_FALSE(prefers_chinese("zhx", nullptr, nullptr));
  EXPECT_FALSE(prefers_chinese("zh_CN.GB18030", nullptr, nullptr));  // our texts are UTF-8
}

TEST(Language, ATranslationTakesTheSameValues) {
  EXPECT_EQ(placeholder_fault("{} of {:.3}", "{}（共 {:.3}）"), std::nullopt);
  EXPECT_EQ(placeholder_fault("{} of {:.3}", "{1:.3} 里的 {0}"), std::nullopt);
  EXPECT_EQ(placeholder_fault("no value", "没有数"), std::nullopt);
  EXPECT_EQ(placeholder_fault("{{}} {}", "{{}} {}"), std::nullopt);
  EXPECT_NE(placeholder_fault("{} of {:.3}", "{}"), std::nullopt);
  EXPECT_NE(placeholder_fault("{} of {:.3}", "{:.3} of {}"), std::nullopt);
  EXPECT_NE(placeholder_fault("{}", "{} {}"), std::nullopt);
  EXPECT_NE(placeholder_fault("{}", "{{}}"), std::nullopt);
  EXPECT_NE(placeholder_fault("{}", "{"), std::nullopt);
  EXPECT_NE(placeholder_fault("a", "}"), std::nullopt);
}

// The languages of one process: the order of what follows matters.
TEST(Language, WhatIsNotTranslatedIsNoted) {
  EXPECT_EQ(translated("strides"), "strides");
  note_english("an english sentence here");
  EXPECT_TRUE(untranslated().empty());  // the run is in English
  speak_chinese();
  add_translations({{"strides", "步长"}, {"{} rows", "行"}});
  EXPECT_EQ(translated("strides"), "步长");
  EXPECT_EQ(translated("4 x 3"), "4 x 3");
  EXPECT_EQ(translated("12, 34"), "12, 34");
  EXPECT_TRUE(untranslated().empty());
  EXPECT_EQ(translated("{} rows"), "{} rows");  // its translation lost the {}
  EXPECT_EQ(untranslated(), (std::set<std::string>{"{} rows"}));
}

TEST(Language, EnglishProseIsNoticedWhereverItComesFrom) {
  speak_chinese();
  const std::size_t before = untranslated().size();
  note_english("    x = arange(12).view(3, 4)      (4, 1)");
  note_english("storage   0  1  2  3 |  4  5  6  7");
  note_english("转置 the same twelve cells");
  note_english("[01.strides_3x4]  12288 x 49152  fp32");
  EXPECT_EQ(untranslated().size(), before);
  note_english("    the same twelve cells");
  EXPECT_EQ(untranslated().size(), before + 1);
}

TEST(Language, EveryTranslationOfTheProjectTakesTheSameValues) {
  namespace fs = std::filesystem;
  int files = 0;
  for (const char* folder : {"/common", "/demos", "/exercises"}) {
    if (!fs::exists(std::string(NAPKIN_SOURCE) + folder)) continue;
    for (const auto& entry :
         fs::recursive_directory_iterator(std::string(NAPKIN_SOURCE) + folder)) {
      if (entry.path().filename() != "zh.json") continue;
      ++files;
      for (const auto& [english, other] : read_texts(entry.path()))
        EXPECT_EQ(placeholder_fault(english, other), std::nullopt)
            << entry.path() << ": " << english;
    }
  }
  EXPECT_GE(files, 2);
}

}  // namespace
}  // namespace napkin::lecture
