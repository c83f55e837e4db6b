#include "exercises/grading/check.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <typeinfo>

#include "common/tensor/print.h"
#include "common/tensor/tensor.h"
#include "exercises/grading/channel.h"

namespace napkin::exercises {
namespace {

constexpr std::int64_t elements_shown = 64;

std::string type_name(const std::exception& e) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(typeid(e).name(), nullptr, nullptr, &status), std::free);
  return name ? name.get() : typeid(e).name();
}

// Values in row-major order, for comparing; every dtype's fit into a double but the largest int64.
std::vector<double> values_of(const Tensor& x) { return x.to_vector<double>(); }

bool comparable(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.shape() == b.shape() && a.dtype() == b.dtype();
}

template <class Near>
std::int64_t first_apart(const Tensor& a, const Tensor& b, Near&& is_near) {
  const std::vector<double> x = values_of(a), y = values_of(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!is_near(x[i], y[i])) return static_cast<std::int64_t>(i);
  return -1;
}

Dims index_of(std::int64_t place, const Shape& shape) {
  Dims index(shape.size(), 0);
  for (int d = shape.size() - 1; d >= 0; --d) {
    index[d] = place % shape[d];
    place /= shape[d];
  }
  return index;
}

}  // namespace

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(int value) { return fmt::format("{}", value); }
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(float value) { return fmt::format("{}", value); }
std::string text_of(const std::string& value) { return value; }
std::string text_of(const Dims& value) { return fmt::format("({})", fmt::join(value, ", ")); }
std::string text_of(const Bits& value) {
  return fmt::format("0x{:0{}X}", value.value, value.digits);
}

std::string text_of(const Tensor& value) {
  if (!value.defined()) return "a tensor that was never assigned";
  const std::string head = fmt::format("shape {}", text_of(value.shape()));
  if (value.numel() <= elements_shown) return head + "\n" + to_string(value);
  const Tensor first = value.reshape({-1}).slice(0, 0, 12);
  return fmt::format("{}, beginning with {}", head, fmt::join(first.to_vector<double>(), ", "));
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool same(float a, float b) { return same(double{a}, double{b}); }
bool same(const Tensor& a, const Tensor& b) {
  return comparable(a, b) && first_apart(a, b, [](double x, double y) { return same(x, y); }) < 0;
}

bool near(double a, double b, double tolerance) {
  return same(a, b) || std::abs(a - b) <= tolerance;
}
bool near(const Tensor& a, const Tensor& b, double tolerance) {
  return comparable(a, b) &&
         first_apart(a, b, [=](double x, double y) { return near(x, y, tolerance); }) < 0;
}

std::string first_difference(const Tensor& got, const Tensor& right) {
  if (!got.defined() || got.shape() != right.shape()) return {};
  if (got.dtype() != right.dtype())
    return fmt::format("dtype {}, right: {}", name(got.dtype()), name(right.dtype()));
  const std::int64_t place = first_apart(got, right, [](double x, double y) { return same(x, y); });
  if (place < 0) return {};
  const Dims index = index_of(place, got.shape());
  return fmt::format("at {}: {}, right: {}", text_of(index), got.at(index).to_double(),
                     right.at(index).to_double());
}

void Checks::attempt(const std::string& input, const std::string& right,
                     const std::function<Comparison()>& compare) {
  ++count_;
  channel_.send({"begin", input, right});
  try {
    const Comparison outcome = compare();
    if (outcome.equal) return channel_.send({"passed"});
    std::vector<std::string> fields = {"failed", outcome.got, outcome.where};
    fields.insert(fields.end(), outcome.mistakes.begin(), outcome.mistakes.end());
    channel_.send(fields);
  } catch (const NotDoneYet& stub) {
    channel_.send({"undone", stub.exercise});
  } catch (const std::bad_alloc&) {
    channel_.send({"threw", "memory"});
  } catch (const std::exception& e) {
    channel_.send({"threw", fmt::format("{}: {}", type_name(e), e.what())});
  } catch (...) {
    channel_.send({"threw", "something that is no std::exception"});
  }
}

}  // namespace napkin::exercises
