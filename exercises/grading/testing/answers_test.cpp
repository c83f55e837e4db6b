// The learner's folder: nothing that was written there is ever lost.
#include "exercises/grading/answers.h"

#include <unistd.h>

#include <set>

#include "exercises/grading/testing/scratch.h"

namespace napkin::exercises {
namespace {

namespace fs = std::filesystem;

class Answers : public WithFolder {
 protected:
  Places places = {folder / "exercises", folder / "learner", folder / "build"};
  std::vector<Exercise> list = {named("one"), named("two")};
  const std::string stub = "// stub\nint f();\n";
  fs::path mine = places.answer(list[0]);

  static Exercise named(const std::string& name) {
    Exercise e;
    e.lesson = "99_frame";
    e.name = name;
    return e;
  }
  void SetUp() override {
    WithFolder::SetUp();
    for (const Exercise& e : list) put(places.stub(e), stub);
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry :
         fs::directory_iterator(folder / "learner" / "my" / "kept" / "99_frame", none))
      files.push_back(entry.path());
    return files;
  }
};

TEST_F(Answers, StubsAreAddedOnce) {
  EXPECT_EQ(add_missing_stubs(places, list), 2);
  EXPECT_EQ(contents(mine), stub);
  EXPECT_TRUE(is_untouched(places, list[0]));
  EXPECT_EQ(add_missing_stubs(places, list), 0);
}

TEST_F(Answers, WhatIsThereIsNeverOverwritten) {
  for (const std::string& text : {std::string("mine"), std::string()}) {
    put(mine, text);
    add_missing_stubs(places, list);
    EXPECT_EQ(contents(mine), text);
    EXPECT_FALSE(is_untouched(places, list[0]));
  }
  fs::remove(mine);
  fs::create_directories(mine);  // a folder
  EXPECT_EQ(add_missing_stubs(places, list), 0);
  EXPECT_TRUE(has(refusal([&] { is_untouched(places, list[0]); }), "is a folder"));
  EXPECT_TRUE(has(refusal([&] { reset(places, list[0]); }), "is a folder"));
}

TEST_F(Answers, LinksAreFollowedOnlyToReadAndReset) {
  put(folder / "elsewhere.h", "mine");
  fs::create_directories(mine.parent_path());
  fs::create_symlink(folder / "elsewhere.h", mine);
  add_missing_stubs(places, list);
  EXPECT_EQ(contents(folder / "elsewhere.h"), "mine");
  EXPECT_FALSE(is_untouched(places, list[0]));
  EXPECT_EQ(contents(reset(places, list[0])), "mine");
  EXPECT_EQ(contents(mine), stub);
  fs::remove(folder / "elsewhere.h");  // to nowhere
  add_missing_stubs(places, list);
  EXPECT_FALSE(fs::exists(folder / "elsewhere.h"));
  EXPECT_TRUE(has(refusal([&] { is_untouched(places, list[0]); }), "cannot be read"));
}

TEST_F(Answers, UntouchedMeansLetterForLetter) {
  for (const std::string& text : {stub.substr(0, stub.size() - 1), stub + "\n", stub + " ",
                                  std::string("// stub\r\nint f();\r\n")}) {
    put(mine, text);
    EXPECT_FALSE(is_untouched(places, list[0])) << text;
  }
}

TEST_F(Answers, ResetKeepsEveryText) {
  const std::vector<std::string> texts = {"first", "second, no line end", "", "third\r\n",
                                          std::string("\0\xff bytes", 8)};
  std::multiset<std::string> expected, found;
  for (const std::string& text : texts) {  // in the same second
    put(mine, text);
    const std::string copy = reset(places, list[0]);
    EXPECT_EQ(contents(copy), text);
    EXPECT_EQ(contents(mine), stub);
    expected.insert(text);
  }
  for (const fs::path& file : kept()) {
    found.insert(contents(file));
    EXPECT_EQ(file.extension(), ".h");
  }
  EXPECT_EQ(found, expected);
}

TEST_F(Answers, ResetOfAStubKeepsNothing) {
  add_missing_stubs(places, list);
  EXPECT_EQ(reset(places, list[0]), "");
  EXPECT_TRUE(kept().empty());
}

TEST_F(Answers, WithoutARoomForTheCopyNothingIsReset) {
  put(mine, "mine");
  put(folder / "learner" / "my" / "kept", "a file where the folder would be");
  EXPECT_TRUE(has(refusal([&] { reset(places, list[0]); }), "cannot be made"));
  EXPECT_EQ(contents(mine), "mine");
}

TEST_F(Answers, AFolderThatCannotBeWrittenIsToldOf) {
  put(folder / "learner", "a file where the folder would be");
  const std::string why = refusal([&] { add_missing_stubs(places, list); });
  EXPECT_TRUE(has(why, "learner/my/99_frame")) << why;
  if (geteuid() == 0) return;  // who may write anywhere
  fs::remove(folder / "learner");
  fs::create_directories(mine.parent_path());
  fs::permissions(mine.parent_path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(has(refusal([&] { add_missing_stubs(places, list); }), "cannot be written"));
  fs::permissions(mine.parent_path(), fs::perms::owner_all);
}

TEST_F(Answers, AFileThatCannotBeReadIsToldOf) {
  EXPECT_TRUE(has(refusal([&] { text_of_file(folder / "none"); }), "none cannot be read: No such"));
  put(folder / "empty", "");
  EXPECT_EQ(text_of_file(folder / "empty"), "");
}

}  // namespace
}  // namespace napkin::exercises
