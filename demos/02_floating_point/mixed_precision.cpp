#include "demos/02_floating_point/mixed_precision.h"

#include "common/core/units.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/numeric/autocast.h"
#include "common/numeric/format_info.h"
#include "common/optim/loss_scaling.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"
#include "demos/02_floating_point/numbers.h"

namespace napkin {

using lecture::translated;

std::string autocast_type(std::string_view operation, Device device, DType operand) {
  const Autocast scope(device, DType::bf16);
  const Tensor x = empty({4, 4}, {.dtype = operand, .device = Device::meta});  // no data needed
  DType result = autocast_dtype(operation, device, DType::bf16, operand);
  if (operation == "matmul") result = matmul(x, x).dtype();
  if (operation == "softmax") result = softmax(x, 1).dtype();
  if (operation == "sum") result = sum(x, {1}).dtype();
  return std::string(name(result));
}

static void print_principles() {
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

void print_types() {
  print_principles();
  lecture::gap();
  lecture::say("What autocast to BF16 makes of operands in FP32 and in BF16:");
  lecture::Table table(
      {{"operation"}, {"CPU: FP32"}, {"CPU: BF16"}, {"CUDA: FP32"}, {"CUDA: BF16"}});
  for (const char* operation :
       {"matmul", "linear", "softmax", "layer_norm", "sum", "add", "cross_entropy"}) {
    std::vector<std::string> cells = {operation};
    for (const Device device : {Device::cpu, Device::cuda})
      for (const DType operand : {DType::fp32, DType::bf16})
        cells.push_back(autocast_type(operation, device, operand));
    table.row(cells);
  }
  table.print();
}

void print_dynamic_scaling(double gradient) {
  LossScaler scaler({.growth_interval = 3});
  lecture::gap();
  lecture::say(
      "A scale that adjusts itself, where the largest gradient is {}. It grows after 3 "
      "good steps here, to be seen in 8; in training after 2000:",
      digits(gradient));
  lecture::Table table({{"step", lecture::Align::right},
                        {"scale", lecture::Align::right},
                        {"largest, in FP16", lecture::Align::right},
                        {"update"}});
  for (int step = 1; step <= 8; ++step) {
    const float scale = scaler.scale();
    const double scaled = rounded(formats::fp16, gradient * scale, Overflow::to_special);
    Tensor gradients[] = {full({1}, scaled)};
    scaler.unscale_(gradients);
    const bool done = scaler.step([] {});
    scaler.update();
    table.row({fmt::format("{}", step), digits(scale), digits(scaled),
               translated(done ? "done" : "skipped: infinity")});
  }
  table.print();
}

}  // namespace napkin
