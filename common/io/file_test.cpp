#include "common/io/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "common/io/testing/temporary_folder.h"

namespace napkin::io {
namespace {

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\xff", 4);
  put(folder / "x", bytes);
  EXPECT_EQ(MappedFile(folder / "x").text(), bytes);
}

TEST(MappedFile, WhatIsNoFileIsRefusedByName) {
  const TemporaryFolder folder;
  const auto why = [&](const std::string& path) { return refusal([&] { MappedFile file(path); }); };
  EXPECT_EQ(why(folder / "none"), folder / "none" + " cannot be read: No such file or directory");
  EXPECT_EQ(why(folder / ""), folder / "" + " is a folder, not a file");
  EXPECT_EQ(why("/dev/zero"), "/dev/zero is not a regular file");
  EXPECT_EQ(why(""), " cannot be read: No such file or directory");
  put(folder / "empty", "");
  EXPECT_EQ(why(folder / "empty"), folder / "empty" + " is empty");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(why(folder / "pipe"), folder / "pipe" + " is not a regular file");
}

TEST(MappedFile, AFileThatMayNotBeReadIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  put(folder / "secret", "x");
  ASSERT_EQ(::chmod((folder / "secret").c_str(), 0), 0);
  EXPECT_EQ(refusal([&] { MappedFile file(folder / "secret"); }),
            folder / "secret" + " cannot be read: Permission denied");
}

}  // namespace
}  // namespace napkin::io
