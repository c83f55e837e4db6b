#include "common/tensor/testing/recorded_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "common/numeric/convert.h"
#include "common/tensor/create.h"
#include "common/tensor/file.h"

namespace napkin::recorded {
namespace {

const io::SafetensorsFile& golden(const std::string& name) {
  static std::map<std::string, io::SafetensorsFile> files;
  const auto found = files.find(name);
  if (found != files.end()) return found->second;
  return files.try_emplace(name, NAPKIN_SOURCE "/reference/golden/" + name + ".safetensors")
      .first->second;
}

Scalar scalar(const std::string& word) {
  if (word == "True" || word == "False") return word == "True";
  if (word[0] == 'i') return std::stoll(word.substr(1));
  check(word[0] == 'f', "a recorded case has the word {}", word);
  return std::strtod(word.c_str() + 1, nullptr);  // hexadecimal, exact
}

class Line {
 public:
  Line(const io::SafetensorsFile& file, const std::string& text) : file_(file), words_(text) {}

  std::string word() {
    std::string w;
    check(static_cast<bool>(words_ >> w), "a recorded case ends too soon");
    return w;
  }
  bool at_end() { return (words_ >> std::ws).eof(); }
  std::int64_t number() { return std::stoll(word()); }
  Dims list() {
    Dims dims;
    for (std::int64_t left = number(); left > 0; --left) dims.push_back(number());
    return dims;
  }
  Tensor elements() { return load_tensor(file_[word()]); }
  Tensor tensor() {
    const Tensor strip = elements();
    const Shape shape = list();
    const Strides strides = list();
    return strip.as_strided(shape, strides, number());
  }
  std::vector<Tensor> tensors() {
    std::vector<Tensor> all;
    for (std::int64_t left = number(); left > 0; --left) {
      check(word() == "t", "a recorded list has something else than tensors");
      all.push_back(tensor());
    }
    return all;
  }
  Argument argument(const std::string& kind) {
    if (kind == "t") return tensor();
    if (kind == "m") return tensors();
    if (kind == "l") return list();
    if (kind == "w") return word();
    if (kind == "n") return std::monostate();
    return scalar(kind);
  }

 private:
  const io::SafetensorsFile& file_;
  std::istringstream words_;
};

Case parse(const io::SafetensorsFile& file, const std::string& text) {
  Line line(file, text);
  Case c;
  c.text = text;
  c.operation = line.word();
  for (std::string word = line.word(); word != "->"; word = line.word())
    c.arguments.push_back(line.argument(word));
  while (!line.at_end()) {
    c.refused = line.word() == "x";
    if (c.refused) break;
    Result r;
    r.elements = line.elements();
    r.shape = line.list();
    r.strides = line.list();
    c.results.push_back(r);
  }
  return c;
}

template <class T>
bool equal_element(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T> || is_small_float<T>) {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x) && std::isnan(y)) return true;
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

Tensor whole_storage(const Tensor& x) {
  return x.as_strided({x.storage_bytes() / size_of(x.dtype())}, {1}, 0);
}

// What is wrong with a refused case; empty if nothing.
std::string wrong_refusal(const Case& c, const std::function<Results(const Case&)>& operation) {
  const bool has_tensor = c.is<Tensor>(0);
  const Tensor before = has_tensor ? c.tensor(0).clone() : Tensor();
  try {
    operation(c);
  } catch (const Error&) {
    return has_tensor ? difference(c.tensor(0), before) : "";
  }
  return "PyTorch refuses this";
}

std::string wrong_result(const Case& c, Results got, bool strides) {
  if (c.operation.back() == '_') got = whole_storage(got.at(0));
  if (got.size() != c.results.size())
    return fmt::format("{} results, not {}", got.size(), c.results.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    const Result& want = c.results[k];
    if (const std::string d = difference(got[k], want.elements.view(want.shape)); !d.empty())
      return d;
    if (strides && got[k].numel() > 0 && got[k].strides() != want.strides)
      return fmt::format("strides {}, not {}", got[k].strides(), want.strides);
  }
  return "";
}

}  // namespace

std::vector<Case> cases(const std::string& file, const std::vector<std::string>& operations) {
  const io::SafetensorsFile& from = golden(file);
  std::istringstream lines(from.metadata().at("cases"));
  std::vector<Case> all;
  for (std::string text; std::getline(lines, text);)
    if (operations.empty() ||
        std::ranges::find(operations, text.substr(0, text.find(' '))) != operations.end())
      all.push_back(parse(from, text));
  return all;
}

Verdict compare(const std::string& file, const Operations& operations, bool strides) {
  std::vector<std::string> names;
  for (const auto& [name, operation] : operations) names.push_back(name);
  Verdict verdict;
  for (const Case& c : cases(file, names)) {
    ++verdict.checked;
    const auto& operation = operations.at(c.operation);
    std::string wrong;
    try {
      wrong = c.refused ? wrong_refusal(c, operation) : wrong_result(c, operation(c), strides);
    } catch (const Error& error) {
      wrong = error.what();
    }
    if (!wrong.empty() && verdict.wrong.size() < 10) verdict.wrong.push_back(c.text + ": " + wrong);
  }
  return verdict;
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
