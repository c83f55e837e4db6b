#include "common/numeric/autocast.h"

#include <algorithm>
#include <span>

namespace napkin {
namespace {

using Names = std::span<const std::string_view>;

// Lists like those of ATen/autocast_mode.h, as far as the lecture and its neighbours go.
constexpr std::string_view products[] = {
    "matmul", "mm",     "bmm",    "addmm",  "baddbmm",
    "linear", "einsum", "conv1d", "conv2d", "scaled_dot_product_attention"};
constexpr std::string_view vector_products[] = {"mv"};
constexpr std::string_view losses[] = {
    "cross_entropy", "nll_loss",       "mse_loss",
    "l1_loss",       "smooth_l1_loss", "huber_loss",
    "kl_div",        "prod",           "binary_cross_entropy_with_logits"};
constexpr std::string_view sums_and_powers[] = {
    "softmax", "log_softmax", "logsumexp", "layer_norm", "rms_norm", "group_norm", "norm",
    "sum",     "cumsum",      "cumprod",   "exp",        "expm1",    "log",        "log1p",
    "log2",    "log10",       "pow",       "rsqrt",      "softplus", "reciprocal"};
constexpr std::string_view of_several[] = {"addcmul", "scatter_add", "dot"};
constexpr std::string_view joins[] = {"cat", "stack"};

struct Rule {
  Names operations;
  Cast cpu, cuda;
};
constexpr Rule rules[] = {
    {products, Cast::lower, Cast::lower},   {vector_products, Cast::none, Cast::lower},
    {losses, Cast::fp32, Cast::fp32},       {sums_and_powers, Cast::none, Cast::fp32},
    {of_several, Cast::none, Cast::widest}, {joins, Cast::widest, Cast::none},
};

}  // namespace

Cast autocast_rule(std::string_view operation, Device device) {
  check(device != Device::meta, "autocast: the rules are those of cpu or cuda, not of meta");
  for (const Rule& rule : rules)
    if (std::ranges::find(rule.operations, operation) != rule.operations.end())
      return device == Device::cpu ? rule.cpu : rule.cuda;
  return Cast::none;
}

}  // namespace napkin
