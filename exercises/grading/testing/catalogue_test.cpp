// The list of exercises, good and bad.
#include "exercises/grading/catalogue.h"

#include "exercises/grading/testing/scratch.h"

namespace napkin::exercises {
namespace {

class Catalogue : public WithFolder {
 protected:
  // One exercise; `more` stands beside its name, by default the rest of what it needs.
  static std::string entry(const std::string& name, const std::string& more = rest) {
    return "{\"name\": \"" + name + "\"" + more + "}";
  }
  void list(const std::string& lesson, const std::string& text) {
    put(folder / lesson / "exercises.json", text);
  }
  std::string refused(const std::string& text) {
    list("99_frame", text);
    const std::string why = refusal([&] { read_catalogue(folder); });
    EXPECT_TRUE(has(why, "99_frame/exercises.json")) << why;  // says which file
    return why;
  }

  static inline const std::string rest =
      R"(, "title": "t", "section": "9.1", "hints": ["a", "b"], "explanation": "e",
         "mistakes": {"m": "M", "n": "N"})";
};

TEST_F(Catalogue, ListsAreReadInOrder) {
  list("02_second", "[" + entry("c") + "]");
  list("01_first", "[" + entry("b") + ", " + entry("a", R"(, "exercise": "3")" + rest) + "]");
  put(folder / "solutions" / "readme", "no list here");
  const std::vector<Exercise> all = read_catalogue(folder);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].file(), "01_first/b.h");
  EXPECT_EQ(all[1].number, "3");
  EXPECT_EQ(all[2].id(), "02.c");
  EXPECT_EQ(all[2].target(), "exercise_02_c");
  EXPECT_EQ(all[0].hint_for("n"), "N");
  EXPECT_TRUE(has(refusal([&] { all[0].hint_for("o"); }), "lists no mistake \"o\""));
}

TEST_F(Catalogue, WhatLacksAPartIsRefused) {
  EXPECT_TRUE(has(refused("[" + entry("a", "") + "]"), "lacks"));
  EXPECT_TRUE(has(refused("[{}]"), "lacks"));
  for (const char* part :
       {"\"title\": \"t\", ", "\"section\": \"9.1\", ", "\"explanation\": \"e\","}) {
    std::string less = rest;
    const std::size_t at = less.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    less.erase(at, std::string(part).size());
    EXPECT_TRUE(has(refused("[" + entry("a", less) + "]"), "lacks")) << part;
  }
  const auto replaced = [&](const std::string& old, const std::string& text) {
    std::string other = rest;
    return other.replace(other.find(old), old.size(), text);
  };
  EXPECT_TRUE(has(refused("[" + entry("a", replaced("[\"a\", \"b\"]", "[\"a\"]")) + "]"),
                  "has 1 hints, not 2"));
  EXPECT_TRUE(has(refused("[" + entry("a", replaced(", \"n\": \"N\"", "")) + "]"),
                  "has 1 mistakes, not at least 2"));
  EXPECT_TRUE(has(refused("[" + entry("a", rest + ", \"hint\": \"x\"") + "]"),
                  "no exercise has a \"hint\""));
}

TEST_F(Catalogue, TheSameNameTwiceIsRefused) {
  EXPECT_TRUE(has(refused("[" + entry("a") + ", " + entry("a") + "]"), "a is listed twice"));
  list("98_other", "[" + entry("a") + "]");
  EXPECT_TRUE(has(refused("[" + entry("a") + "]"), "a is listed twice"));  // in two lessons
}

TEST_F(Catalogue, BrokenListsAreRefused) {
  const std::string whole = "[" + entry("a") + "]";
  for (std::size_t length = 0; length < whole.size(); ++length) refused(whole.substr(0, length));
  refused(whole + "x");
  refused("{}");
  refused("[" + entry("a", ", \"title\": 3") + "]");
}

TEST_F(Catalogue, NoExerciseAtAllIsRefused) {
  EXPECT_TRUE(has(refusal([&] { read_catalogue(folder); }), "no exercises here"));
  EXPECT_TRUE(has(refusal([&] { read_catalogue(folder / "none"); }), "no exercises here"));
  list("99_frame", "[]");
  EXPECT_TRUE(has(refusal([&] { read_catalogue(folder); }), "no exercises here"));
}

TEST_F(Catalogue, AWordChoosesALessonOrAnExercise) {
  list("01_first", "[" + entry("bytes") + ", " + entry("strides") + "]");
  list("02_second", "[" + entry("rounding") + "]");
  const std::vector<Exercise> all = read_catalogue(folder);
  for (const char* word : {"01", "1", "01_first"}) EXPECT_EQ(chosen(all, word).size(), 2u) << word;
  for (const char* word : {"strides", "01.strides", "01_first/strides", "01_first/strides.h",
                           "my/01_first/strides.h"}) {
    ASSERT_EQ(chosen(all, word).size(), 1u) << word;
    EXPECT_EQ(chosen(all, word)[0].name, "strides");
  }
  for (const char* word : {"", "0", "3", "001", "stride", "02.strides", "first", "../my", "%s"})
    EXPECT_TRUE(has(refusal([&] { chosen(all, word); }), "there is no ")) << word;
  EXPECT_TRUE(has(refusal([&] { chosen(all, "stride"); }), "did you mean strides?"));
}

}  // namespace
}  // namespace napkin::exercises
