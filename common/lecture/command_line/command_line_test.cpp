// What stands on a demo's command line: values that arrive, and refusals of one sentence.
#include <gtest/gtest.h>

#include <filesystem>

#include "common/lecture/claims/json.h"
#include "common/lecture/command_line/command_line.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/testing/run_fake.h"

namespace napkin::lecture {
namespace {

class CommandLine : public WithFolder {
 protected:
  std::string json = folder / "out.json";

  // What stands in the JSON under "values", without blanks.
  std::string values(Words arguments) {
    arguments.insert(arguments.end(), {"--json", json});
    const Ended ended = fake_demo(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.output;
    const std::string text = contents(json);
    std::string packed;
    for (const char c : text.substr(text.find("\"values\"")))
      if (c != ' ' && c != '\n') packed += c;
    return packed;
  }

  struct Refusal {
    Words arguments;
    std::string sentence;
  };
  static void expect_refusals(const std::vector<Refusal>& refusals) {
    for (const auto& [arguments, sentence] : refusals) {
      const Ended ended = fake_demo(arguments);
      EXPECT_EQ(ended.output, "99_fake: " + sentence + "\n");
      EXPECT_EQ(ended.exit_code, 2) << sentence;
    }
  }
};

TEST_F(CommandLine, SubcommandsWriteValues) {
  EXPECT_EQ(values({"shape", "--shape", "2,3,4"}),
            "\"values\":{\"shape\":[2,3,4],\"index\":[],\"index_given\":false,\"slices\":[],"
            "\"swaps\":0,\"text\":\"\",\"infinite\":\"-inf\"}}");
  EXPECT_TRUE(has(contents(json), "\"claims\": []"));
  EXPECT_FALSE(read_results(json).lecture_setting);
}

TEST_F(CommandLine, ListsMayBeEmptyNegativeAndLarge) {
  EXPECT_TRUE(has(values({"shape", "--shape", ""}), "\"shape\":[]"));
  EXPECT_TRUE(has(values({"shape", "--shape", "-1,2"}), "[-1,2]"));
  EXPECT_TRUE(has(values({"shape", "--shape=-1,2"}), "[-1,2]"));
  EXPECT_TRUE(has(values({"shape", "--shape=", "--index", "-3"}),
                  "\"shape\":[],\"index\":[-3],\"index_given\":true"));
  EXPECT_TRUE(
      has(values({"shape", "--shape", "2", "--index="}), "\"index\":[],\"index_given\":true"));
  EXPECT_TRUE(has(values({"shape", "--shape", "9223372036854775807,-9223372036854775808"}),
                  "[9223372036854775807,-9223372036854775808]"));
}

TEST_F(CommandLine, ListsMayHaveBlanksAtTheirCommas) {
  EXPECT_TRUE(has(values({"shape", "--shape", "2, 3"}), "\"shape\":[2,3]"));
  EXPECT_TRUE(has(values({"shape", "--shape", " 2 ,  3 "}), "\"shape\":[2,3]"));
  EXPECT_TRUE(has(values({"shape", "--shape", " "}), "\"shape\":[]"));
  EXPECT_EQ(fake_demo({"--json", json, "cut", "a=2, b c"}).exit_code, 0);
  EXPECT_TRUE(has(contents(json), "\"a=2\"") && has(contents(json), "\"b c\"")) << contents(json);
}

// As pages print them, and as people write large numbers.
TEST_F(CommandLine, NumbersAreReadAsTheyAreWritten) {
  EXPECT_TRUE(has(values({"shape", "--shape", "12288x49152"}), "[12288,49152]"));
  EXPECT_TRUE(has(values({"shape", "--shape", "2 x 3X4,5"}), "[2,3,4,5]"));
  EXPECT_TRUE(has(values({"shape", "--shape", "1e6,2.5k,70B"}), "[1000000,2500,70000000000]"));
  for (const char* scale : {"-inf", "-1e-8", "1.5k", "+2"})
    EXPECT_EQ(fake_demo({"shape", "--shape", "2", "--scale", scale}).exit_code, 0) << scale;
  EXPECT_EQ(fake_demo({"--rows", "1e3", "--device", "CPU", "--lang", "EN"}).exit_code, 0);
}

// A section does not stumble over what it does not use.
TEST_F(CommandLine, InputsAreCheckedWhereTheyAreUsed) {
  const std::string refusal = "99_fake: --rows -1: 0 or more\n";
  EXPECT_EQ(fake_demo({"--section", "2.1", "--rows", "-1"}).exit_code, 0);
  for (const Words& words : {Words{}, {"--section", "1"}, {"--section", "1.2"}}) {
    Words all = words;
    all.insert(all.end(), {"--rows", "-1"});
    const auto ended = fake_demo(all);
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.output, refusal);
  }
}

// A scalar's shape is the empty list.
TEST_F(CommandLine, EmptyListsInAListOfListsCount) {
  const auto swaps = [&](Words words) {
    words.insert(words.begin(), {"shape", "--shape", "2"});
    const std::string found = values(words);
    return found.substr(found.find("\"swaps\":") + 8, 1);
  };
  EXPECT_EQ(swaps({}), "0");
  EXPECT_EQ(swaps({"--swap="}), "1");
  EXPECT_EQ(swaps({"--swap", ""}), "1");
  EXPECT_EQ(swaps({"--swap", "0,1", "--swap="}), "2");
  EXPECT_EQ(swaps({"--swap=", "--swap", "0,1"}), "2");
  EXPECT_EQ(swaps({"--swap", "0, 1; "}), "2");
  EXPECT_EQ(swaps({"--swap=;"}), "2");
}

TEST_F(CommandLine, SomeListsGatherSeveralFlags) {
  EXPECT_TRUE(has(values({"shape", "--shape", "2", "--slice", "0:4@1", "--slice", "1:2@0"}),
                  "[\"0:4@1\",\"1:2@0\"]"));
  EXPECT_TRUE(
      has(values({"shape", "--shape", "2", "--swap", "0,1", "--swap=1,2;0,2"}), "\"swaps\":3"));
}

TEST_F(CommandLine, CommonFlagsStandBeforeAndAfterTheSubcommand) {
  EXPECT_TRUE(has(values({"--threads", "2", "shape", "--shape", "5", "--seed", "7"}), "[5]"));
  EXPECT_TRUE(has(contents(json), "\"threads\": 2"));
  EXPECT_TRUE(has(contents(json), "\"seed\": 7"));
}

TEST_F(CommandLine, ArgumentsWithoutAFlag) {
  EXPECT_TRUE(has(values({"echo", "-5"}), "\"text\":\"-5\""));
  EXPECT_TRUE(has(values({"echo", "a word"}), "\"text\":\"aword\""));
  EXPECT_TRUE(has(values({"cut", "a", "-5", "b,c"}), "\"slices\":[\"a\",\"-5\",\"b\",\"c\"]"));
  EXPECT_TRUE(has(values({"cut"}), "\"slices\":[]"));
  EXPECT_TRUE(has(values({"echo", "-> x"}), "\"text\":\"->x\""));  // a pattern without a left side
  EXPECT_TRUE(has(values({"echo", "->"}), "\"text\":\"->\""));
  EXPECT_EQ(fake_demo({"--json", json, "cut", "a", "--", "-x", "--json"}).exit_code, 0);
  for (const char* part : {"\"a\"", "\"-x\"", "\"--json\""})
    EXPECT_TRUE(has(contents(json), part)) << part;
  const Ended ended = fake_demo({"--json", json, "echo", "--", "--shape"});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(contents(json), "\"text\": \"--shape\""));
}

TEST_F(CommandLine, CommonFlagsRefuseWhatTheyCannotUse) {
  expect_refusals({
      {{"--threads", "0"}, "--threads 0: not a whole number from 1 to 1024"},
      {{"--threads", "1025"}, "--threads 1025: not a whole number from 1 to 1024"},
      {{"--threads", "abc"}, "--threads abc: not a whole number from 1 to 1024"},
      {{"--threads", "2x"}, "--threads 2x: not a whole number from 1 to 1024"},
      {{"--threads="}, "--threads \"\": not a whole number from 1 to 1024"},
      {{"--threads"}, "--threads needs a value"},
      {{"--threads", "--quick"}, "--threads needs a value before --quick"},
      {{"--threads", "1", "--threads", "2"}, "--threads: given 2 times"},
      {{"--seed", "-1"}, "--seed -1: not a whole number from 0 to 2^64 - 1"},
      {{"--seed", "18446744073709551616"},
       "--seed 18446744073709551616: not a whole number from 0 to 2^64 - 1"},
      {{"--lang", "fr"}, "--lang fr: en or zh"},
      {{"--device", "tpu"}, "--device tpu: cpu or cuda"},
      {{"--device", "cuda"}, "--device cuda: no GPU"},
      {{"--lang", ""}, "--lang \"\": en or zh"},
      {{"--device="}, "--device \"\": cpu or cuda"},
      {{"--section="}, "--section \"\": there is no such section; these exist: 1.1, 1.2, 2.1"},
      {{"--quick=3"}, "--quick=3: --quick takes no value"},
  });
}

TEST_F(CommandLine, UnknownNamesAreAnsweredWithTheNearestOne) {
  expect_refusals({
      {{"--thread", "2"}, "unknown flag --thread: did you mean --threads?"},
      {{"--raws", "2"}, "unknown flag --raws: did you mean --rows?"},
      {{"--sec", "2.1"}, "unknown flag --sec: did you mean --section?"},
      {{"--="}, "unknown flag -- (--help lists those that exist)"},
      {{"-x"}, "unknown flag -x (--help lists those that exist)"},
      {{"--\x1b[31m"}, "unknown flag --\\x1b[31m (--help lists those that exist)"},
      {{"--completely-wrong"}, "unknown flag --completely-wrong (--help lists those that exist)"},
      {{"shap"}, "unknown subcommand \"shap\": did you mean shape?"},
      {{"elephant"}, "unknown subcommand \"elephant\": there is shape, echo, cut"},
      {{"--shape", "2"}, "--shape belongs after a subcommand: shape"},
      {{"shape", "--rows", "2"}, "--rows is an input of the sections, not of shape"},
      {{"--rows", "2", "shape"}, "--rows is an input of the sections, not of shape"},
      {{"echo", "--index", "2"}, "--index is an input of shape, not of echo"},
      {{"echo", "--scale", "2"}, "--scale is an input of the sections and of shape, not of echo"},
      {{"--scale", "2", "echo"}, "--scale is an input of the sections and of shape, not of echo"},
      {{"--scale", "2", "shape"}, "--scale belongs after shape"},
  });
}

TEST_F(CommandLine, InputsRefuseWhatTheyCannotUse) {
  expect_refusals({
      {{"--rows", "1.5"}, "--rows 1.5: not a whole number of 64 bits"},
      {{"--rows", "1", "--rows", "2"}, "--rows: given 2 times"},
      {{"--scale", "1e999"}, "--scale 1e999: not a number that a double can hold"},
      {{"--scale", "-infinite"}, "--scale -infinite: not a number that a double can hold"},
      {{"shape", "--shape", "2xx3"}, "--shape 2xx3: not a whole number of 64 bits"},
      {{"--rows", "1e-1"}, "--rows 1e-1: not a whole number of 64 bits"},
      {{"--slow=maybe"}, "--slow maybe: not yes or no"},
      {{"shape"}, "shape needs --shape: sizes"},
      {{"echo"}, "echo needs text: any text"},
      {{"echo", "a", "b"}, "echo does not take \"b\" (see 99_fake echo --help)"},
      {{"shape", "--shape", "2,x"}, "--shape 2,x: \"x\" is not a whole number of 64 bits"},
      {{"shape", "--shape", "2, x"}, "--shape 2, x: \"x\" is not a whole number of 64 bits"},
      {{"shape", "--shape", "2 3"}, "--shape 2 3: not a whole number of 64 bits"},
      {{"->"}, "unknown subcommand \"->\": there is shape, echo, cut"},
      {{"shape", "--shape", "2,,3"}, "--shape 2,,3: \"\" is not a whole number of 64 bits"},
      {{"shape", "--shape", "9223372036854775808"},
       "--shape 9223372036854775808: not a whole number of 64 bits"},
      {{"shape", "--shape", "2", "--text", "bad"}, "--text bad: anything else is allowed"},
      {{"shape", "--shape", "2", "--section", "1"}, "--section 1: shape has no sections"},
  });
}

TEST_F(CommandLine, FilesThatCannotBeWrittenAreRefusedBeforeTheRun) {
  const std::string absent = folder / "absent";
  expect_refusals({
      {{"--json", absent + "/out.json"},
       "--json " + absent + "/out.json: there is no folder " + absent},
      {{"--json", folder}, "--json " + folder.string() + ": is a folder"},
      {{"--json", ""}, "--json \"\": an empty file name"},
      {{"--json", "-"}, "--json -: not a file name (standard output is /dev/stdout)"},
      {{"--list", "--json", "x"}, "--json x: --list writes no file"},
      {{"--list", "--plot", "x"}, "--plot x: --list writes no file"},
      {{"--json", "/proc/out.json"},
       "--json /proc/out.json cannot be written: No such file or directory"},
      {{"--plot", "/dev/null"}, "--plot /dev/null: Not a directory"},
      {{"--plot", ""}, "--plot \"\": an empty folder name"},
  });
}

TEST(WithFlag, NothingGivenIsSeen) {
  for (const auto& [given, sentence] : {std::pair{"", "--index \"\": no"}, {"3", "--index 3: no"}})
    try {
      with_flag("--index", given, [] { fail("no"); });
      ADD_FAILURE() << given;
    } catch (const Error& refused) {
      EXPECT_STREQ(refused.what(), sentence);
    }
}

TEST_F(CommandLine, HelpShowsTheDefaults) {
  const Ended ended = fake_demo({"--help"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(has(ended.output, "--rows N")) << ended.output;
  EXPECT_TRUE(has(ended.output, "rows (default 3)"));
  EXPECT_TRUE(has(ended.output, "a factor (default 0.5)"));
  for (const CommonFlag& flag : common_flags) {
    EXPECT_TRUE(flag.help.empty() || has(ended.output, std::string(flag.name))) << flag.name;
  }
  const Ended command = fake_demo({"shape", "-h"});
  EXPECT_EQ(command.exit_code, 0);
  EXPECT_TRUE(has(command.output, "Usage: 99_fake shape --shape N,N,... [--index N,N,...]"));
  EXPECT_TRUE(has(command.output, "--swap \"N,N;N,N\"")) << command.output;
  EXPECT_TRUE(has(command.output, "sizes (required)"));
}

TEST_F(CommandLine, HelpIsChineseInAChineseRun) {
  const Ended page = fake_demo({"--help"}, {"LANG=zh_CN.UTF-8"});
  EXPECT_TRUE(has(page.output, "99_fake: 测试用的演示\n\n用法：99_fake [选项]\n")) << page.output;
  EXPECT_TRUE(has(page.output, "行数（默认 3）"));
  EXPECT_TRUE(has(fake_demo({"shape", "--help", "--lang", "zh"}).output, "各维大小（必填）"));
}

}  // namespace
}  // namespace napkin::lecture
