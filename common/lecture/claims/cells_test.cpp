// Claims that are cells of a table.
#include <gtest/gtest.h>

#include "common/lecture/claims/json.h"
#include "common/lecture/testing/run_fake.h"

namespace napkin::lecture {
namespace {

class Cells : public WithFolder {
 protected:
  std::string json = folder / "out.json";
};

// Claims that a table's cells show have no lines of their own unless they are off or --claims asks.
TEST_F(Cells, HaveNoLinesUnlessTheyAreOff) {
  const Ended fine = fake_demo({"--json", json}, {"FAKE=cells"});
  EXPECT_EQ(fine.exit_code, 0);
  EXPECT_TRUE(has(fine.output, "3          2 ok\n")) << fine.output;
  EXPECT_FALSE(has(fine.output, "[99.whole]")) << fine.output;
  EXPECT_TRUE(has(fine.output, "[99.yes]")) << fine.output;
  int found = 0;
  for (const Reported& claim : read_results(json).claims)
    if (claim.id == "99.whole" || claim.id == "99.list") found += claim.verdict == "ok";
  EXPECT_EQ(found, 2);
  const Ended all = fake_demo({"--claims"}, {"FAKE=cells"});
  EXPECT_TRUE(has(all.output, "[99.whole]") && has(all.output, "[99.list]")) << all.output;
  const Ended off = fake_demo({}, {"FAKE=cells off"});
  EXPECT_EQ(off.exit_code, 1);
  EXPECT_TRUE(has(off.output, "OFF: a factor, lecture (4, 1)")) << off.output;
  EXPECT_TRUE(has(off.output, "[99.list]")) << off.output;
  EXPECT_FALSE(has(off.output, "[99.whole]")) << off.output;
  const Ended other = fake_demo({"--rows", "4"}, {"FAKE=cells"});
  EXPECT_TRUE(has(other.output, "3          not checked\n")) << other.output;
}

}  // namespace
}  // namespace napkin::lecture
