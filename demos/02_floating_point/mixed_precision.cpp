#include "demos/02_floating_point/mixed_precision.h"

#include "common/lecture/report.h"
#include "common/lecture/table.h"
#include "demos/02_floating_point/autocast.h"

namespace napkin {

using lecture::translated;

std::string autocast(std::string_view operation, Device device) {
  return std::string(name(autocast_dtype(operation, device, DType::bf16, DType::bf16)));
}

void print_principles() {
  lecture::Table rules({{"what"}, {"type"}, {"why"}});
  const auto rule = [&](const char* what, const char* type, const char* why) {
    rules.row({translated(what), type, translated(why)});
  };
  rule("operands of matrix products", "BF16", "half the bytes, and the fast units");
  rule("their sums", "FP32", "many terms: sums stick");
  rule("softmax, norms, loss", "FP32", "sums and exponentials");
  rule("weights and optimizer state", "FP32", "updates are small");
  rules.print();
}

void print_autocast() {
  lecture::gap();
  lecture::say("What autocast makes of BF16 operands:");
  lecture::Table table({{"operation"}, {"on cpu"}, {"on cuda"}});
  for (const char* operation :
       {"matmul", "linear", "softmax", "layer_norm", "sum", "cross_entropy"})
    table.row({operation, autocast(operation, Device::cpu), autocast(operation, Device::cuda)});
  table.print();
}

}  // namespace napkin
