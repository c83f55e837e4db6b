#include "demos/02_floating_point/inputs.h"

#include <cmath>

#include "common/lecture/command_line/flag.h"
#include "demos/02_floating_point/accumulate.h"
#include "demos/02_floating_point/numbers.h"
#include "demos/02_floating_point/pictures.h"
#include "demos/02_floating_point/scales.h"

namespace napkin {

static void check_fp32(const char* flag, double x) {
  check(std::isfinite(static_cast<float>(x)), "{} {}: a number that FP32 holds", flag, x);
}

static void check_number(const Inputs& in) {
  lecture::with_flag("--number", in.number, [&] { number_of_any_format(in.number); });
}

void refuse_bad(lecture::Demo& demo, const Inputs& in) {
  demo.check_inputs("3.1", [&in] { check_number(in); });
  demo.check_inputs("3.2", [&in] {
    check(in.loss_scale > 0 && std::isfinite(in.loss_scale), "--loss-scale {}: more than 0, finite",
          in.loss_scale);
    check_fp32("--gradients", in.gradients);
    check_fp32("--largest-gradient", in.largest_gradient);
    check_count(in.count);
  });
  demo.check_inputs("3.3", [&in] { check_number(in); });
  demo.check_inputs("3.4", [&in] {
    check_fp32("--add", in.add);
    check_fp32("--weight", in.weight);
    check_fp32("--update", in.update);
    check_times("--times", in.times);
    check_times("--steps", in.steps);
  });
  demo.check_inputs("3.6", [&in] {
    check_factor("--fp8-gradients", in.fp8_gradients);
    check_data(in.count, in.every, in.amplitude);
    check(in.block >= 1, "--block {}: values that share a scale, 1 or more", in.block);
  });
  demo.check_inputs("13.3", [&in] { check_added("--exercise3", in.exercise3); });
}

void add_inputs(lecture::Demo& demo, Inputs& in) {
  demo.input("--number", in.number, "3.1, 3.3: the number drawn in bits");
  demo.input("--small", in.small, "3.2, 3.3: what is too small for FP16");
  demo.input("--large", in.large, "3.2, 3.3: what is too large for FP16");
  demo.input("--loss-scale", in.loss_scale, "3.2: what gradients are multiplied by");
  demo.input("--gradients", in.gradients, "3.2: size of the gradients");
  demo.input("--largest-gradient", in.largest_gradient, "3.2: where the scale adjusts itself");
  demo.input("--next-to-1", in.next_to_1, "3.3: what is added to 1");
  demo.input("--next-to-1024", in.next_to_1024, "3.3: what is added to 1024");
  demo.input("--add", in.add, "3.4: what is added again and again");
  demo.input("--times", in.times, "3.4: how often");
  demo.input("--weight", in.weight, "3.4: a weight at the start");
  demo.input("--update", in.update, "3.4: what each step takes from it");
  demo.input("--steps", in.steps, "3.4: how many steps");
  demo.input("--fp8-gradients", in.fp8_gradients, "3.6: size of the gradients in FP8");
  demo.input("--count", in.count, "3.2, 3.6: how many values");
  demo.input("--every", in.every, "3.6: one value in so many is an outlier; 0: none");
  demo.input("--amplitude", in.amplitude, "3.6: what outliers are multiplied by");
  demo.input("--block", in.block, "3.6: values that share an FP32 scale");
  demo.input("--exercise3", in.exercise3, "13.3: what is added to 1024");
}

}  // namespace napkin
