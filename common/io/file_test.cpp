#include "common/io/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "common/io/testing/temporary_folder.h"

namespace napkin::io {
namespace {

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

void save(const std::string& path, const std::string& text) {
  FileWriter file(path);
  file.write(text);
  file.commit();
}

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\xff", 4);
  put(folder / "x", bytes);
  EXPECT_EQ(text_of(MappedFile(folder / "x")), bytes);
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

TEST(FileWriter, TheFileAppearsWhenItIsComplete) {
  const TemporaryFolder folder;
  FileWriter file(folder / "x");
  file.write("one ");
  file.write("two");
  EXPECT_EQ(::access((folder / "x").c_str(), F_OK), -1);
  file.commit();
  EXPECT_EQ(content_of(folder / "x"), "one two");
  EXPECT_EQ(folder.count(), 1);
  EXPECT_THROW(file.write("more"), Error);
  EXPECT_THROW(file.commit(), Error);
}

TEST(FileWriter, GivenUpHalfWayTheOldFileStaysAndNothingIsLeftOver) {
  const TemporaryFolder folder;
  save(folder / "x", "old");
  {
    FileWriter file(folder / "x");
    file.write("new");
  }
  EXPECT_EQ(content_of(folder / "x"), "old");
  EXPECT_EQ(folder.count(), 1);
}

// Writes far past the size that the system allows a file of this process. Ends the process.
[[noreturn]] void write_too_much(const std::string& path, bool killed) {
  const rlimit limit{1 << 16, 1 << 16};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  ::signal(SIGXFSZ, killed ? SIG_DFL : SIG_IGN);
  const std::string why = refusal([&] { save(path, std::string(1 << 20, 'n')); });
  ::_exit(why == path + " cannot be written: File too large" ? 0 : 1);
}

int status_of_too_much(const std::string& path, bool killed) {
  const pid_t child = ::fork();
  if (child == 0) write_too_much(path, killed);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(FileWriter, WhereTheDiskTakesNoMoreTheOldFileStaysAndNothingIsLeftOver) {
  const TemporaryFolder folder;
  save(folder / "x", "old");
  const int status = status_of_too_much(folder / "x", false);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(content_of(folder / "x"), "old");
  EXPECT_EQ(folder.count(), 1);
}

TEST(FileWriter, KilledHalfWayTheOldFileStays) {
  const TemporaryFolder folder;
  save(folder / "x", "old");
  const int status = status_of_too_much(folder / "x", true);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
  EXPECT_EQ(content_of(folder / "x"), "old");
}

TEST(FileWriter, LinksAndPermissionsStay) {
  const TemporaryFolder folder;
  save(folder / "x", "old");
  ASSERT_EQ(::chmod((folder / "x").c_str(), 0600), 0);
  ASSERT_EQ(::symlink((folder / "x").c_str(), (folder / "link").c_str()), 0);
  save(folder / "link", "new");
  EXPECT_EQ(content_of(folder / "x"), "new");
  struct stat status {};
  ASSERT_EQ(::lstat((folder / "link").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  ASSERT_EQ(::stat((folder / "x").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(FileWriter, WhatCannotBeAFileIsRefusedBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  const auto why = [&](const std::string& path) { return refusal([&] { FileWriter file(path); }); };
  EXPECT_EQ(why(folder / "none/x"),
            folder / "none/x" + " cannot be written: No such file or directory");
  EXPECT_EQ(why("/dev/null"), "/dev/null is there and is not a file: it cannot be replaced");
  EXPECT_NE(why(folder / ""), "");
  EXPECT_EQ(why(""), "a file without a name cannot be written");
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace napkin::io
