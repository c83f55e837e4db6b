#include "common/autograd/testing/programs.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "common/autograd/functions.h"
#include "common/core/joined.h"
#include "common/tensor/create.h"

namespace napkin::autograd::programs {
namespace {

using Operands = std::vector<Variable>;
using Arguments = std::vector<double>;
using Function = std::function<Variable(const Operands&, const Arguments&)>;

std::int64_t whole(double v) { return static_cast<std::int64_t>(v); }

Dims from(const Arguments& a, std::size_t first) {
  Dims dims;
  for (std::size_t k = first; k < a.size(); ++k) dims.push_back(whole(a[k]));
  return dims;
}

Tensor index(const Arguments& a, std::size_t first) {
  std::vector<std::int64_t> numbers;
  for (std::size_t k = first; k < a.size(); ++k) numbers.push_back(whole(a[k]));
  return from_data(numbers, {static_cast<std::int64_t>(numbers.size())});
}

Tensor table(const Arguments& a) { return index(a, 2).view({whole(a[1]), -1}); }

template <class F>
Function alone(F f) {
  return [f](const Operands& x, const Arguments&) { return f(x[0]); };
}
template <class F>
Function pair(F f) {
  return [f](const Operands& x, const Arguments&) { return f(x[0], x[1]); };
}
template <class F>
Function with_number(F f) {
  return [f](const Operands& x, const Arguments& a) { return f(x[0], Scalar(a[0])); };
}
template <class F>
Function reduction(F f) {
  return [f](const Operands& x, const Arguments& a) { return f(x[0], from(a, 1), a[0] != 0); };
}
template <class F>
Function along(F f) {
  return [f](const Operands& x, const Arguments& a) { return f(x[0], static_cast<int>(a[0])); };
}
#define CALL(f) [](const auto&... x) { return f(x...); }

std::map<std::string, Function> elementwise_functions() {
  const auto scaled = [](auto f) {
    return [f](const Operands& x, const Arguments& a) {
      return f(x[0], x[1], Scalar(a.empty() ? 1 : a[0]));
    };
  };
  return {
      {"add", scaled(CALL(add))},
      {"sub", scaled(CALL(sub))},
      {"mul", pair(CALL(mul))},
      {"div", pair(CALL(div))},
      {"add_number", with_number(CALL(add))},
      {"sub_number", with_number(CALL(sub))},
      {"mul_number", with_number(CALL(mul))},
      {"div_number", with_number(CALL(div))},
      {"neg", alone(CALL(neg))},
      {"abs", alone(CALL(autograd::abs))},
      {"sign", alone(CALL(sign))},
      {"exp", alone(CALL(autograd::exp))},
      {"log", alone(CALL(autograd::log))},
      {"sqrt", alone(CALL(autograd::sqrt))},
      {"rsqrt", alone(CALL(rsqrt))},
      {"tanh", alone(CALL(autograd::tanh))},
      {"sigmoid", alone(CALL(sigmoid))},
      {"relu", alone(CALL(relu))},
      {"gelu", alone(CALL(gelu))},
      {"gelu_tanh", [](const Operands& x, const Arguments&) { return gelu(x[0], Gelu::tanh); }},
      {"clamp", [](const Operands& x, const Arguments& a) { return clamp(x[0], a[0], a[1]); }},
      {"maximum", pair(CALL(maximum))},
      {"minimum", pair(CALL(minimum))},
      {"where",
       [](const Operands& x, const Arguments&) { return where(gt(x[0].value(), 0), x[1], x[2]); }},
      {"addcmul",
       [](const Operands& x, const Arguments& a) { return addcmul(x[0], x[1], x[2], a[0]); }},
      {"lerp",
       [](const Operands& x, const Arguments& a) { return lerp(x[0], x[1], Scalar(a[0])); }},
      {"lerp_by", [](const Operands& x, const Arguments&) { return lerp(x[0], x[1], x[2]); }},
  };
}

std::map<std::string, Function> reductions() {
  return {
      {"sum", reduction(CALL(sum))},
      {"mean", reduction(CALL(mean))},
      {"prod", reduction(CALL(prod))},
      {"max", reduction(CALL(max))},
      {"min", reduction(CALL(min))},
      {"var", [](const Operands& x,
                 const Arguments& a) { return var(x[0], from(a, 2), a[0], a[1] != 0); }},
      {"norm", [](const Operands& x,
                  const Arguments& a) { return norm(x[0], a[0], from(a, 2), a[1] != 0); }},
      {"softmax", along(CALL(softmax))},
      {"log_softmax", along(CALL(log_softmax))},
      {"cumsum", along(CALL(cumsum))},
  };
}

std::map<std::string, Function> products_and_places() {
  return {
      {"matmul", pair(CALL(matmul))},
      {"index_select",
       [](const Operands& x, const Arguments& a) {
         return index_select(x[0], static_cast<int>(a[0]), index(a, 1));
       }},
      {"gather", [](const Operands& x,
                    const Arguments& a) { return gather(x[0], static_cast<int>(a[0]), table(a)); }},
      {"scatter_add",
       [](const Operands& x, const Arguments& a) {
         return scatter_add(x[0], static_cast<int>(a[0]), table(a), x[1]);
       }},
      {"index_add",
       [](const Operands& x, const Arguments& a) {
         return index_add(x[0], static_cast<int>(a[0]), index(a, 1), x[1]);
       }},
      {"cat", [](const Operands& x, const Arguments& a) { return cat(x, static_cast<int>(a[0])); }},
      {"stack",
       [](const Operands& x, const Arguments& a) { return stack(x, static_cast<int>(a[0])); }},
      {"sort",
       [](const Operands& x, const Arguments& a) {
         return sort(x[0], static_cast<int>(a[0]), a[1] != 0).values;
       }},
      {"topk",
       [](const Operands& x, const Arguments& a) {
         return topk(x[0], whole(a[0]), static_cast<int>(a[1]), a[2] != 0).values;
       }},
  };
}

std::map<std::string, Function> views() {
  const auto shaped = [](auto f) {
    return [f](const Operands& x, const Arguments& a) { return f(x[0], from(a, 0)); };
  };
  const auto numbered = [](auto f) {
    return [f](const Operands& x, const Arguments& a) {
      const auto n = [&](std::size_t k) { return static_cast<int>(a[k]); };
      return f(x[0], n);
    };
  };
  using X = const Variable&;
  return {
      {"view", shaped([](X x, const Dims& s) { return x.view(s); })},
      {"reshape", shaped([](X x, const Dims& s) { return x.reshape(s); })},
      {"permute", shaped([](X x, const Dims& s) { return x.permute(s); })},
      {"expand", shaped([](X x, const Dims& s) { return x.expand(s); })},
      {"flatten", numbered([](X x, const auto& n) { return x.flatten(n(0), n(1)); })},
      {"transpose", numbered([](X x, const auto& n) { return x.transpose(n(0), n(1)); })},
      {"t", alone([](X x) { return x.t(); })},
      {"select", numbered([](X x, const auto& n) { return x.select(n(0), n(1)); })},
      {"slice", numbered([](X x, const auto& n) { return x.slice(n(0), n(1), n(2), n(3)); })},
      {"unsqueeze", numbered([](X x, const auto& n) { return x.unsqueeze(n(0)); })},
      {"squeeze", alone([](X x) { return x.squeeze(); })},
      {"squeeze_one", numbered([](X x, const auto& n) { return x.squeeze(n(0)); })},
      {"unfold", numbered([](X x, const auto& n) { return x.unfold(n(0), n(1), n(2)); })},
      {"diagonal", alone([](X x) {
         const Layout& l = x.layout();
         return x.as_strided({l.shape[0]}, {l.strides[0] + l.strides[1]}, l.offset);
       })},
      {"contiguous", alone([](X x) { return x.transpose(0, 1).contiguous(); })},
      {"clone", alone([](X x) { return x.clone(); })},
  };
}

const std::map<std::string, Function>& all() {
  static const auto functions = [] {
    std::map<std::string, Function> f = elementwise_functions();
    f.merge(reductions());
    f.merge(products_and_places());
    f.merge(views());
    return f;
  }();
  return functions;
}

std::vector<double> numbers(const nlohmann::json& list) {
  std::vector<double> all;
  for (const auto& v : list)
    all.push_back(v.is_number() ? v.get<double>()
                  : v == "inf"  ? HUGE_VAL
                  : v == "-inf" ? -HUGE_VAL
                                : NAN);
  return all;
}

}  // namespace

std::string to_string(const Program& program) {
  std::string text;
  for (const Leaf& leaf : program.leaves) text += napkin::to_string(leaf.shape) + " ";
  for (const Step& step : program.steps)
    text += step.function + "(" + joined(step.operands, ",") + "; " + joined(step.arguments, ",") +
            ") ";
  return text;
}

std::vector<Program> recorded(const std::string& what) {
  std::ifstream file(NAPKIN_SOURCE "/reference/golden/gradients.json");
  const auto json = nlohmann::json::parse(file);
  std::vector<Program> programs;
  for (const auto& one : json.at(what)) {
    Program& program = programs.emplace_back();
    for (const auto& leaf : one.at("leaves")) {
      const auto sizes = leaf.at("shape").get<std::vector<std::int64_t>>();
      program.leaves.push_back({Dims(std::span(sizes)), numbers(leaf.at("values"))});
    }
    for (const auto& step : one.at("steps"))
      program.steps.push_back({step[0], step[1].get<std::vector<std::size_t>>(), numbers(step[2])});
    program.gradient = numbers(one.at("gradient"));
    for (const auto& list : one.at("gradients")) program.gradients.push_back(numbers(list));
  }
  return programs;
}

Variable run(const Program& program, const std::vector<Variable>& leaves) {
  std::vector<Variable> values = leaves;
  for (const Step& step : program.steps) {
    Operands operands;
    for (const std::size_t k : step.operands) operands.push_back(values.at(k));
    values.push_back(all().at(step.function)(operands, step.arguments));
  }
  return values.back();
}

std::set<std::string> functions() {
  std::set<std::string> names;
  for (const auto& [name, function] : all()) names.insert(name);
  return names;
}

}  // namespace napkin::autograd::programs
