#include "common/core/whole_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "common/io/testing/temporary_folder.h"

namespace napkin {
namespace {

using io::content_of, io::refusal, io::TemporaryFolder;

void save(const std::string& path, const std::string& text) { write_whole_file(path, text); }

TEST(WholeFile, TheFileAppearsWhenItIsComplete) {
  const TemporaryFolder folder;
  WholeFile file(folder / "x");
  file.write("one ");
  file.write("two");
  EXPECT_EQ(::access((folder / "x").c_str(), F_OK), -1);
  file.commit();
  EXPECT_EQ(content_of(folder / "x"), "one two");
  EXPECT_EQ(folder.count(), 1);
  EXPECT_THROW(file.write("more"), Error);
  EXPECT_THROW(file.commit(), Error);
}

TEST(WholeFile, GivenUpHalfWayTheOldFileStaysAndNothingIsLeftOver) {
  const TemporaryFolder folder;
  save(folder / "x", "old");
  {
    WholeFile file(folder / "x");
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

TEST(WholeFile, WhereTheDiskTakesNoMoreTheOldFileStaysAndNothingIsLeftOver) {
  const TemporaryFolder folder;
  save(folder / "x", "old");
  const int status = status_of_too_much(folder / "x", false);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(content_of(folder / "x"), "old");
  EXPECT_EQ(folder.count(), 1);
}

TEST(WholeFile, KilledHalfWayTheOldFileStays) {
  const TemporaryFolder folder;
  save(folder / "x", "old");
  const int status = status_of_too_much(folder / "x", true);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
  EXPECT_EQ(content_of(folder / "x"), "old");
}

TEST(WholeFile, LinksAndPermissionsStay) {
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

TEST(WholeFile, WhatCannotBeAFileIsRefusedBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  const auto why = [&](const std::string& path) { return refusal([&] { WholeFile file(path); }); };
  EXPECT_EQ(why(folder / "none/x"),
            folder / "none/x" + " cannot be written: No such file or directory");
  EXPECT_EQ(why("/dev/null"), "/dev/null is there and is not a file: it cannot be replaced");
  EXPECT_NE(why(folder / ""), "");
  EXPECT_EQ(why(""), "a file without a name cannot be written");
  EXPECT_EQ(folder.count(), 0);
}

TEST(WholeFile, ANewFileReplacesNothing) {
  const TemporaryFolder folder;
  const auto save_new = [](const std::string& path, const std::string& text) {
    WholeFile file(path);
    file.write(text);
    return file.commit_new();
  };
  EXPECT_TRUE(save_new(folder / "x", "first"));
  EXPECT_FALSE(save_new(folder / "x", "second"));
  EXPECT_EQ(content_of(folder / "x"), "first");
  ASSERT_EQ(::symlink((folder / "nowhere").c_str(), (folder / "link").c_str()), 0);
  EXPECT_FALSE(save_new(folder / "link", "third"));  // a link to nothing is there too
  EXPECT_EQ(folder.count(), 2);
}

TEST(WriteWholeFile, DevicesAreWrittenDirectly) {
  write_whole_file("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  check_file_writable("/dev/null");
  EXPECT_EQ(refusal([] { write_whole_file("/dev/full", "x"); }),
            "/dev/full cannot be written: No space left on device");
}

TEST(WriteWholeFile, WhatCannotBeWrittenIsRefusedWithoutATrace) {
  const TemporaryFolder folder;
  EXPECT_THROW(save(folder / "absent/x", "x"), Error);
  EXPECT_THROW(save(folder / ".", "x"), Error);
  EXPECT_EQ(folder.count(), 0);
}

TEST(WriteWholeFile, AWritablePathIsProvenWithoutATrace) {
  const TemporaryFolder folder;
  check_file_writable(folder / "x");
  EXPECT_EQ(folder.count(), 0);
  EXPECT_THROW(check_file_writable(""), Error);
  EXPECT_THROW(check_file_writable(folder / ""), Error);
  EXPECT_EQ(refusal([&] { check_file_writable(folder / "absent/x"); }),
            folder / "absent/x" + ": there is no folder " + folder / "absent");
  EXPECT_THROW(make_writable_folder("/dev/null/plots"), Error);
  make_writable_folder(folder / "a/b");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "a/b"));
}

}  // namespace
}  // namespace napkin
