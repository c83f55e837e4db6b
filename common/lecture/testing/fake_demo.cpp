// A demo for the tests of the report library. The environment variable FAKE names what goes wrong.
#include <csignal>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <string_view>

#include "common/core/machine.h"
#include "common/lecture/page/plot.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"

using namespace napkin;

static struct {
  std::int64_t rows = 3;
  double scale = 0.5;
  bool slow = false;
  std::vector<std::int64_t> shape = {2, 3}, index;
  std::vector<std::string> slices;
  std::vector<std::vector<std::int64_t>> swaps;
  std::string text;
} in;

static bool goes_wrong(std::string_view how) {
  const char* fake = std::getenv("FAKE");
  return fake != nullptr && how == fake;
}

// The same claims as cells of a table.
static void in_cells() {
  lecture::Table table({{"a factor"}, {"lecture"}});
  const int four = goes_wrong("cells off") ? 5 : 4;
  table.row({"3", lecture::cell_claims({{"whole", 9007199254740993, "rows"},
                                        {"list", std::vector<int>{four, 1}, "a factor"}})});
  table.print();
  lecture::cell_claims_below();
  lecture::claim("yes", true);
}

static void whole_numbers() {
  lecture::say("{} rows of {:.1f}", in.rows, in.scale);
  if (goes_wrong("cells") || goes_wrong("cells off")) return in_cells();
  if (goes_wrong("english")) lecture::print_line("this line was not translated");
  if (goes_wrong("unknown text")) lecture::say("Nobody translated me.");
  lecture::claim("whole", goes_wrong("off") ? 9007199254740992 : 9007199254740993);
  lecture::claim("list", std::vector<int>{4, 1});
  if (!goes_wrong("missing")) lecture::claim("yes", true);
  if (goes_wrong("unknown")) lecture::claim("nobody", 1);
  if (goes_wrong("twice")) lecture::claim("list", std::vector<int>{4, 1});
  if (goes_wrong("skip")) lecture::skip_claim("whole", "too late");
}

static void reals() {
  if (goes_wrong("error")) fail("shapes {} and {} do not match", 2, 3);
  if (goes_wrong("memory")) throw std::bad_alloc();
  if (goes_wrong("exception")) throw std::runtime_error("something else");
  if (goes_wrong("number")) throw 7;
  if (goes_wrong("crash")) std::raise(SIGKILL);
  lecture::claim("infinite", std::numeric_limits<double>::infinity());
  lecture::claim("digits", goes_wrong("digits") ? 465.1 : 463.856);
  lecture::claim("undefined", std::numeric_limits<double>::quiet_NaN());
}

static void timings() {
  lecture::claim("measured", 0.25);
  lecture::claim("faster", 12);
  if (lecture::settings().gpu) lecture::claim("gpu", 5);
  lecture::Plot{.title = "Time", .series = {{"Time", {1, 2}, {3, 4}}}}.save("time");
}

static void what_if() {
  check(in.text != "bad", "--text {}: anything else is allowed", in.text);
  lecture::value("shape", in.shape);
  lecture::value("index", in.index);
  lecture::value("index_given", lecture::was_given("--index"));
  lecture::value("slices", in.slices);
  lecture::value("swaps", static_cast<int>(in.swaps.size()));
  lecture::value("text", in.text);
  lecture::value("infinite", -std::numeric_limits<double>::infinity());
  lecture::claim("whole", 5);
}

int main(int argc, char** argv) {
  if (goes_wrong("gpu here")) set_gpu_probe([] { return Gpu{true, "a GPU"}; });
  lecture::Demo demo("99_fake", "A demo for tests", "1.1 - 2.1");
  demo.section("1.1", "Whole numbers", whole_numbers);
  demo.section("1.2", "Reals", reals);
  demo.section("2.1", "Time", timings);
  demo.input("--rows", in.rows, "rows");
  demo.input("--scale", in.scale, "a factor");
  demo.input("--slow", in.slow, "a switch");
  demo.check_inputs("1", [] { check(in.rows >= 0, "--rows {}: 0 or more", in.rows); });
  demo.seed(42);
  demo.command("shape", "what a shape is", what_if)
      .required("--shape", in.shape, "sizes")
      .input("--index", in.index, "an index")
      .input("--scale", in.scale, "a factor")
      .input("--slice", in.slices, "start:stop:step@dimension")
      .input("--swap", in.swaps, "two dimensions")
      .input("--text", in.text, "any text");
  demo.command("echo", "an argument without a flag", what_if).required("text", in.text, "any text");
  demo.command("cut", "several arguments without a flag", what_if)
      .input("slice", in.slices, "any texts");
  demo.try_next("99_fake shape --shape 2,3");
  return demo.run(argc, argv);
}
