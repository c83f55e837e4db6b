#include "common/tensor/testing/recorded.h"

#include "common/core/joined.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace napkin::recorded {
namespace {

using nlohmann::json;

json read(const std::string& name) {
  const std::string path = NAPKIN_SOURCE "/reference/golden/" + name;
  std::ifstream file(path);
  check(file.good(), "{} cannot be read", path);
  return json::parse(file);
}

std::vector<Step> steps_of(const json& list) {
  std::vector<Step> steps;
  for (const json& entry : list) {
    Step step{entry[0].get<std::string>(), {}};
    for (std::size_t i = 1; i < entry.size(); ++i)
      step.arguments.push_back(entry[i].get<Numbers>());
    steps.push_back(step);
  }
  return steps;
}

double number(const json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

std::vector<double> values_of(const json& entry) {
  std::vector<double> values;
  if (entry.contains("arange")) {
    const double first = entry["arange"][0], end = entry["arange"][1], step = entry["arange"][2];
    for (int i = 0; first + i * step < end; ++i) values.push_back(first + i * step);
  } else {
    for (const json& value : entry["values"]) values.push_back(number(value));
  }
  return values;
}

}  // namespace

Shape dims(const Numbers& numbers) { return Shape(std::span<const std::int64_t>(numbers)); }

std::vector<Chain> views() {
  std::vector<Chain> chains;
  for (const json& entry : read("views.json")) {
    Chain chain{entry[0].get<Numbers>(), steps_of(entry[1]), std::nullopt};
    if (const json& r = entry[2]; !r.is_null())
      chain.result = View{r["shape"].get<Numbers>(),
                          r["strides"].get<Numbers>(),
                          r["offset"],
                          r["contiguous"],
                          r["dense"],
                          r["shares"],
                          r["like"].get<Numbers>(),
                          r["data"].get<Numbers>()};
    chains.push_back(chain);
  }
  return chains;
}

std::vector<Printed> printing() {
  std::vector<Printed> all;
  for (const json& entry : read("printing.json"))
    all.push_back({dtype_named(entry["dtype"].get<std::string>()),
                   device_named(entry["device"].get<std::string>()), entry["shape"].get<Numbers>(),
                   values_of(entry), steps_of(entry["steps"]), entry["text"].get<std::string>()});
  return all;
}

std::vector<Range> ranges() {
  const auto scalar = [](const json& value) -> Scalar {
    if (value.is_number_integer()) return value.get<std::int64_t>();
    return number(value);
  };
  std::vector<Range> all;
  for (const json& entry : read("arange.json")) {
    const json& from = entry[1];
    Range range{dtype_named(entry[0].get<std::string>()), scalar(from[0]), scalar(from[1]),
                scalar(from[2]), std::nullopt};
    if (!entry[2].is_null()) {
      range.numbers.emplace();
      for (const json& value : entry[2]) range.numbers->push_back(scalar(value));
    }
    all.push_back(range);
  }
  return all;
}

std::string to_string(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) {
    text += " " + step.name;
    for (const Numbers& numbers : step.arguments) text += fmt::format("[{}]", joined(numbers, ","));
  }
  return text;
}

Tensor apply(const Tensor& x, const Step& step) {
  const std::string& name = step.name;
  const Numbers a = step.arguments.empty() ? Numbers{} : step.arguments[0];
  const auto d = [&](std::size_t i) { return static_cast<int>(a.at(i)); };
  if (name == "view") return x.view(dims(a));
  if (name == "reshape") return x.reshape(dims(a));
  if (name == "permute") return x.permute(dims(a));
  if (name == "expand") return x.expand(dims(a));
  if (name == "transpose") return x.transpose(d(0), d(1));
  if (name == "select") return x.select(d(0), a.at(1));
  if (name == "slice") return x.slice(d(0), a.at(1), a.at(2), a.at(3));
  if (name == "unsqueeze") return x.unsqueeze(d(0));
  if (name == "squeeze") return x.squeeze(d(0));
  if (name == "squeeze_all") return x.squeeze();
  if (name == "flatten") return a.empty() ? x.flatten() : x.flatten(d(0), d(1));
  if (name == "unfold") return x.unfold(d(0), a.at(1), a.at(2));
  if (name == "as_strided")
    return x.as_strided(dims(a), dims(step.arguments.at(1)), step.arguments.at(2).at(0));
  if (name == "t") return x.t();
  if (name == "contiguous") return x.contiguous();
  if (name == "clone") return x.clone();
  throw std::logic_error("the tests know no view " + name);
}

}  // namespace napkin::recorded
