#include "common/tensor/testing/elementwise_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

#include "common/tensor/convert.h"
#include "common/tensor/create.h"
#include "common/tensor/elementwise.h"
#include "common/tensor/file.h"
#include "common/tensor/reduce.h"

namespace napkin::recorded {
namespace {

const io::SafetensorsFile& file() {
  static const io::SafetensorsFile instance(NAPKIN_SOURCE
                                            "/reference/golden/elementwise.safetensors");
  return instance;
}

class Line {
 public:
  explicit Line(const std::string& text) : words_(text) {}

  std::string word() {
    std::string w;
    check(static_cast<bool>(words_ >> w), "a recorded case ends too soon");
    return w;
  }
  std::int64_t number() { return std::stoll(word()); }
  Dims list() {
    Dims dims;
    for (std::int64_t left = number(); left > 0; --left) dims.push_back(number());
    return dims;
  }
  Tensor elements() { return load_tensor(file()[word()]); }
  Tensor tensor() {
    const Tensor strip = elements();
    const Shape shape = list();
    const Strides strides = list();
    return strip.as_strided(shape, strides, number());
  }

 private:
  std::istringstream words_;
};

Scalar scalar(const std::string& word) {
  if (word == "True" || word == "False") return word == "True";
  if (word[0] == 'i') return std::stoll(word.substr(1));
  return std::strtod(word.c_str() + 1, nullptr);  // hexadecimal, exact
}

Case parse(const std::string& text) {
  Line line(text);
  Case c;
  c.text = text;
  c.operation = line.word();
  for (std::string word = line.word(); word != "->"; word = line.word())
    if (word == "t") {
      c.operands.emplace_back(line.tensor());
      if (c.operation == "to") c.to = dtype_named(line.word());
      if (c.operation == "sum") {
        c.over = line.list();
        c.keep = line.number() != 0;
      }
    } else {
      c.operands.emplace_back(scalar(word));
    }
  c.refused = line.word() == "x";
  if (c.refused) return c;
  c.elements = line.elements();
  c.shape = line.list();
  c.strides = line.list();
  return c;
}

Tensor in_place(const Case& c) {
  Tensor x = c.tensor(0);
  const auto& second = c.operands.at(1);
  const bool number = std::holds_alternative<Scalar>(second);
  const Scalar s = number ? std::get<Scalar>(second) : Scalar(0);
  const Tensor t = number ? Tensor() : std::get<Tensor>(second);
  const Scalar alpha = c.operands.size() > 2 ? std::get<Scalar>(c.operands[2]) : Scalar(1);
  if (c.operation == "copy_") x.copy_(t);
  if (c.operation == "add_") number ? x.add_(s) : x.add_(t);
  if (c.operation == "sub_") number ? x.sub_(s) : x.sub_(t);
  if (c.operation == "mul_") number ? x.mul_(s) : x.mul_(t);
  if (c.operation == "div_") number ? x.div_(s) : x.div_(t);
  if (c.operation == "add_scaled_") x.add_(t, alpha);
  if (c.operation == "sub_scaled_") x.sub_(t, alpha);
  const Shape whole = {x.storage_bytes() / size_of(x.dtype())};
  return x.as_strided(whole, {1}, 0);
}

template <class T>
bool equal_element(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T> || is_half<T>) {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x) && std::isnan(y)) return true;
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace

std::vector<Case> elementwise_cases(const std::vector<std::string>& operations) {
  std::istringstream lines(file().metadata().at("cases"));
  std::vector<Case> cases;
  for (std::string text; std::getline(lines, text);)
    if (operations.empty() ||
        std::ranges::find(operations, text.substr(0, text.find(' '))) != operations.end())
      cases.push_back(parse(text));
  return cases;
}

Tensor run(const Case& c) {
  if (c.operation.back() == '_') return in_place(c);
  if (c.operation == "to") return c.tensor(0).to(*c.to);
  if (c.operation == "sum") return sum(c.tensor(0), c.over, c.keep);
  if (c.operation == "neg") return neg(c.tensor(0));
  const Tensor& a = c.tensor(0);
  const Scalar alpha = c.operands.size() > 2 ? std::get<Scalar>(c.operands[2]) : Scalar(1);
  return std::visit(
      [&](const auto& b) -> Tensor {
        if constexpr (std::is_same_v<std::decay_t<decltype(b)>, Tensor>) {
          if (c.operation == "add_scaled") return add(a, b, alpha);
          if (c.operation == "sub_scaled") return sub(a, b, alpha);
        }
        if (c.operation == "add") return add(a, b);
        if (c.operation == "sub") return sub(a, b);
        if (c.operation == "mul") return mul(a, b);
        if (c.operation == "div") return div(a, b);
        if (c.operation == "eq") return eq(a, b);
        fail("no operation {} is known", c.operation);
      },
      c.operands.at(1));
}

std::string difference(const Tensor& got, const Tensor& want) {
  if (got.dtype() != want.dtype())
    return fmt::format("a {} tensor, not {}", name(got.dtype()), name(want.dtype()));
  if (got.shape() != want.shape())
    return fmt::format("shape {}, not {}", got.shape(), want.shape());
  return visit(got.dtype(), [&](auto tag) -> std::string {
    using T = typename decltype(tag)::Type;
    const std::vector<T> g = got.to_vector<T>(), w = want.to_vector<T>();
    for (std::size_t i = 0; i < g.size(); ++i) {
      const T a = g[i], b = w[i];
      if (!equal_element(a, b))
        return fmt::format("element {} is {}, not {}", i, to_string(Scalar(a)),
                           to_string(Scalar(b)));
    }
    return {};
  });
}

}  // namespace napkin::recorded
