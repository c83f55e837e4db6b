#include "common/tensor/operations/table.h"

#include <string>

#include "common/core/error.h"

namespace napkin {
namespace {

constexpr DTypes floats = {DType::fp64, DType::fp32, DType::bf16, DType::fp16};
constexpr DTypes integers = {DType::int64, DType::int32, DType::uint16, DType::uint8};
constexpr DTypes numbers = floats | integers;
constexpr DTypes all = numbers | DTypes{DType::boolean};
constexpr DTypes fp8 = {DType::e4m3fn, DType::e5m2};
constexpr DTypes stored = all | fp8;  // what tensors can hold

constexpr std::string_view bits = "PyTorch's bits";
constexpr std::string_view bits_to_1024 = "PyTorch's bits up to 1024 positions";
constexpr std::string_view one_ulp = "1 ulp of the exact value";
constexpr std::string_view two_ulp = "2 ulp of the exact value";

// In the order of Op.
constexpr Operation table[] = {
    // clang-format off
    {Op::add,          "add",          "add(a, b, alpha = 1), a + b", all,     all,     "common",          bits},
    {Op::sub,          "sub",          "sub(a, b, alpha = 1), a - b", numbers, numbers, "common",          bits},
    {Op::mul,          "mul",          "mul(a, b), a * b",            all,     all,     "common",          bits},
    {Op::div,          "div",          "div(a, b), a / b",            all,     all,     "common or fp32",  bits},
    {Op::neg,          "neg",          "neg(a), -a",                  numbers, numbers, "same",            bits},
    {Op::abs,          "abs",          "abs(a)",                      numbers | fp8, numbers | fp8, "same",            bits},
    {Op::sign,         "sign",         "sign(a)",                     all,     all,     "same",            bits},
    {Op::exp,          "exp",          "exp(a)",                      all,     all,     "same or fp32",    one_ulp},
    {Op::log,          "log",          "log(a)",                      all,     all,     "same or fp32",    one_ulp},
    {Op::sqrt,         "sqrt",         "sqrt(a)",                     all,     all,     "same or fp32",    "rounded correctly"},
    {Op::rsqrt,        "rsqrt",        "rsqrt(a)",                    all,     all,     "same or fp32",    two_ulp},
    {Op::tanh,         "tanh",         "tanh(a)",                     all,     all,     "same or fp32",    two_ulp},
    {Op::sigmoid,      "sigmoid",      "sigmoid(a)",                  all,     all,     "same or fp32",    two_ulp},
    {Op::relu,         "relu",         "relu(a)",                     numbers, numbers, "same",            bits},
    {Op::gelu,         "gelu",         "gelu(a), gelu(a, Gelu::tanh)", floats, floats,  "same",            "4 ulp of the exact value"},
    {Op::clamp,        "clamp",        "clamp(a, low, high)",         numbers, numbers, "common",          bits},
    {Op::maximum,      "maximum",      "maximum(a, b)",               all,     all,     "common",          bits},
    {Op::minimum,      "minimum",      "minimum(a, b)",               all,     all,     "common",          bits},
    {Op::eq,           "eq",           "eq(a, b)",                    stored,  stored,     "bool",            bits},
    {Op::ne,           "ne",           "ne(a, b)",                    stored,  stored,     "bool",            bits},
    {Op::lt,           "lt",           "lt(a, b)",                    all,     all,     "bool",            bits},
    {Op::le,           "le",           "le(a, b)",                    all,     all,     "bool",            bits},
    {Op::gt,           "gt",           "gt(a, b)",                    all,     all,     "bool",            bits},
    {Op::ge,           "ge",           "ge(a, b)",                    all,     all,     "bool",            bits},
    {Op::where,        "where",        "where(condition, a, b)",      stored,  stored,     "common of a, b",  bits},
    {Op::addcmul,      "addcmul",      "addcmul(a, b, c, value = 1)", numbers, numbers, "common",          bits},
    {Op::lerp,         "lerp",         "lerp(a, b, weight)",          floats,  floats,  "same",            bits},
    {Op::sum,          "sum",          "sum(x, {dims}, keep)",        all,     all,     "same or int64",   "32 + 5 + log2(n / 1024) roundings"},
    {Op::mean,         "mean",         "mean(x, {dims}, keep)",       floats,  floats,  "same",            "as sum"},
    {Op::prod,         "prod",         "prod(x, {dims}, keep)",       all,     all,     "same or int64",   "n roundings"},
    {Op::max,          "max",          "max(x, {dims}, keep)",        all,     all,     "same",            "PyTorch's bits but for the sign of 0"},
    {Op::min,          "min",          "min(x, {dims}, keep)",        all,     all,     "same",            "PyTorch's bits but for the sign of 0"},
    {Op::argmax,       "argmax",       "argmax(x, dim, keep)",        numbers, numbers, "int64",           bits},
    {Op::argmin,       "argmin",       "argmin(x, dim, keep)",        numbers, numbers, "int64",           bits},
    {Op::var,          "var",          "var(x, {dims}, correction)",  floats,  floats,  "same",            "1 ulp; FP64: as sum"},
    {Op::norm,         "norm",         "norm(x, p, {dims}, keep)",    floats,  floats,  "same",            "1 ulp; FP64: as sum"},
    {Op::softmax,      "softmax",      "softmax(x, dim)",             floats,  floats,  "same",            "2^-24 (8 + |log y|) y"},
    {Op::log_softmax,  "log_softmax",  "log_softmax(x, dim)",         floats,  floats,  "same",            "4 ulp of max(1, |y|)"},
    {Op::cumsum,       "cumsum",       "cumsum(x, dim)",              all,     all,     "same or int64",   "PyTorch's bits; cuda: FP64 sums"},
    {Op::matmul,       "matmul",       "matmul(a, b)",                numbers, floats,  "same",            "k roundings"},
    {Op::index_select, "index_select", "index_select(x, dim, index)", stored,  stored,     "same",            bits},
    {Op::gather,       "gather",       "gather(x, dim, index)",       stored,  stored,     "same",            bits},
    {Op::scatter_add,  "scatter_add",  "scatter_add(x, dim, index, source)", all,  all,     "same",            bits_to_1024},
    {Op::index_add,    "index_add",    "index_add(x, dim, index, source)", all,    all,     "same",            bits_to_1024},
    {Op::cat,          "cat",          "cat({a, b}, dim)",            stored,  stored,     "common",          bits},
    {Op::stack,        "stack",        "stack({a, b}, dim)",          stored,  stored,     "common",          bits},
    {Op::sort,         "sort",         "sort(x, dim, descending)",    all,     all,     "same and int64",  bits},
    {Op::topk,         "topk",         "topk(x, k, dim)",             numbers, numbers, "same and int64",  bits},
    {Op::copy,         "copy",         "x.to(dtype), x.clone(), y.copy_(x)", stored, stored,  "any",             bits},
    {Op::fill,         "fill",         "x.fill_(value), full(shape, value)", stored, stored,  "same",            bits},
    // clang-format on
};

constexpr bool stands_in_order() {
  int next = 0;
  for (const Operation& o : table)
    if (static_cast<int>(o.op) != next++) return false;
  return next == static_cast<int>(Op::fill) + 1;
}
static_assert(stands_in_order());

std::string names_of(DTypes dtypes) {
  std::string names;
  for (const DType d : all_dtypes)
    if (dtypes.has(d)) names += (names.empty() ? "" : ", ") + std::string(name(d));
  return names;
}

// What it takes there.
DTypes taken(const Operation& o, Device device) {
  return device == Device::cpu ? o.cpu : device == Device::cuda ? o.cuda : o.cpu | o.cuda;
}

}  // namespace

std::span<const Operation> operations() { return table; }
const Operation& operation(Op op) { return table[static_cast<std::size_t>(op)]; }

const char* name(Op op) { return operation(op).name.data(); }  // a literal: it ends with a 0

bool is_defined(Op op, DType dtype, Device device) {
  return taken(operation(op), device).has(dtype);
}

void check_defined(Op op, DType dtype, Device device) {
  if (is_defined(op, dtype, device)) [[likely]]
    return;
  const Operation& o = operation(op);
  fail("{} of {} elements on {} is not defined; it takes {}", o.name, name(dtype), name(device),
       names_of(taken(o, device)));
}

}  // namespace napkin
