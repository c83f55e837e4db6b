#include "common/gpu/fault.h"

#include <gtest/gtest.h>

#include <string>

#include "common/core/error.h"
#include "common/gpu/launch.h"

namespace napkin::gpu {
namespace {

// Every thread asks for one index of five.
struct Ask {
  FaultReporter faults;
  std::int64_t first;
  void operator()(const Thread& at) const {
    const std::int64_t index = first + at.number();
    if (index < 0 || index >= 5) faults.report(index, 5);
  }
};

TEST(Fault, TheFirstOneIsThrownOnceWithItsNumbers) {
  FaultRecord record;
  run_on_host(Ask{{&record, "gather"}, 3}, {1, 4});
  try {
    throw_fault(record);
    FAIL() << "nothing was thrown";
  } catch (const Error& fault) {
    EXPECT_EQ(std::string(fault.what()),
              "gather: index 5 is not in a dimension of size 5 (from 0 to the size - 1)");
  }
  EXPECT_NO_THROW(throw_fault(record));
}

TEST(Fault, ANumberThatIsNotFiniteHasItsOwnSentence) {
  FaultRecord record;
  FaultReporter{&record, "quantize"}.report_not_finite(7);
  try {
    throw_fault(record);
    FAIL() << "nothing was thrown";
  } catch (const Error& fault) {
    EXPECT_EQ(std::string(fault.what()),
              "quantize: value 7 is infinite or NaN in fp32: this format has no code for it (MX "
              "formats have: a scale of NaN)");
  }
  EXPECT_NO_THROW(throw_fault(record));
}

TEST(Fault, GoodIndicesAreNone) {
  FaultRecord record;
  run_on_host(Ask{{&record, "gather"}, 0}, {1, 5});
  EXPECT_NO_THROW(throw_fault(record));
  run_on_host(Ask{{&record, "gather"}, -1}, {1, 1});
  EXPECT_THROW(throw_fault(record), Error);
}

}  // namespace
}  // namespace napkin::gpu
