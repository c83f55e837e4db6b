// Attention with named axes: what each token takes from the others (lecture 4.2).
//   example_attention [HEADS]      2 heads if no number is given
#include <cmath>
#include <iostream>
#include <string>

#include "common/core/error.h"
#include "common/core/quantity.h"
#include "common/einops/einops.h"
#include "common/einops/einsum.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/print.h"
#include "common/tensor/random/random.h"

using namespace napkin;

int main(int argc, char** argv) try {
  const std::string wanted = argc > 1 ? argv[1] : "2";
  const auto heads = whole_quantity(wanted);
  check(heads.has_value(), "HEADS \"{}\": not a whole number", wanted);
  manual_seed(0);  // PyTorch's numbers of that seed
  const Tensor query = randn({1, 4, 16}), key = randn({1, 4, 16}), value = randn({1, 4, 16});

  const auto split = [&](const Tensor& x) {
    return rearrange(x, "b s (h d) -> b h s d", {{"h", *heads}});
  };
  const Tensor q = split(query), k = split(key), v = split(value);
  const Tensor scores = einsum(q, k, "b h q d, b h k d -> b h q k");
  const Tensor weights = softmax(scores / std::sqrt(static_cast<double>(q.size(-1))), -1);
  const Tensor mixed = einsum(weights, v, "b h q k, b h k d -> b h q d");
  const Tensor output = rearrange(mixed, "b h s d -> b s (h d)");

  std::cout << "weights of the first head, a row for each query:\n" << weights[0][0] << "\n";
  std::cout << "output of shape " << to_string(output.shape()) << ", its first 4 columns:\n"
            << output[0].slice(1, 0, 4) << "\n";
} catch (const Error& error) {
  std::cerr << "example_attention: " << error.what() << "\n";
  return 2;
}
