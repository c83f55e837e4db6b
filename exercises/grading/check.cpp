#include "exercises/grading/check.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>
#include <typeinfo>

#include "common/core/parallel.h"
#include "common/tensor/print.h"
#include "common/tensor/tensor.h"
#include "exercises/grading/channel.h"

namespace napkin::exercises {
namespace {

constexpr std::int64_t elements_shown = 64;
// Beside the headings of a page of 80 columns (page.cpp). Broken lines would show no columns.
constexpr std::size_t columns_shown = 58;

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

// A number of this type; those of few bits in the fewest digits that tell them from their
// neighbours in FP32.
std::string number_text(double value, DType dtype) {
  const bool wide = dtype == DType::fp64 || dtype == DType::int64 || dtype == DType::int32;
  return wide ? text_of(value) : text_of(static_cast<float>(value));
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

// The first values in row-major order; a line that may be broken anywhere.
std::string list_of(const Tensor& x) {
  std::string list;
  const std::int64_t shown = std::min(x.numel(), elements_shown);
  for (const double value : x.reshape({-1}).slice(0, 0, shown).to_vector<double>())
    list += (list.empty() ? "" : ", ") + number_text(value, x.dtype());
  return x.numel() > shown ? list + ", ..." : list;
}

}  // namespace

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(int value) { return fmt::format("{}", value); }
std::string text_of(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }
std::string text_of(float value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }
std::string text_of(const std::string& value) { return value; }
std::string text_of(const Dims& value) { return fmt::format("({})", fmt::join(value, ", ")); }
std::string text_of(const Bits& value) {
  return fmt::format("0x{:0{}X}", value.value, value.digits);
}

std::string text_of(const Tensor& value) {
  if (!value.defined()) return "a tensor that was never assigned";
  const std::string head = fmt::format("shape {}\n", text_of(value.shape()));
  if (value.rank() >= 2 && value.numel() <= elements_shown) {
    const std::string rows = to_string(value);
    if (widest_line(rows) <= columns_shown) return head + rows;
  }
  return head + list_of(value);
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

Difference first_difference(const Tensor& got, const Tensor& right, double tolerance) {
  if (!got.defined() || got.shape() != right.shape()) return {};
  if (got.dtype() != right.dtype())
    return {"dtype", std::string(name(got.dtype())), std::string(name(right.dtype()))};
  const std::int64_t place =
      first_apart(got, right, [=](double x, double y) { return near(x, y, tolerance); });
  if (place < 0) return {};
  const Dims index = index_of(place, got.shape());
  return {text_of(index), number_text(got.at(index).to_double(), got.dtype()),
          number_text(right.at(index).to_double(), right.dtype())};
}

Checks::Mark& Checks::Comparison::mark_of(std::string_view mistake) {
  for (Mark& mark : marks)
    if (mark.mistake == mistake) return mark;
  return marks.emplace_back(Mark{mistake});
}

std::vector<std::string> Checks::Comparison::fields() const {
  std::vector<std::string> fields = {"passed"};
  if (!equal) fields = {"failed", got, where.place, where.got, where.right};
  for (const Mark& mark : marks) {
    const bool unnoticed = equal && mark.gives_right;
    if (!unnoticed) fields.push_back((mark.gives_this ? '+' : '-') + std::string(mark.mistake));
  }
  return fields;
}

void Checks::attempt(const std::string& input, const std::string& right,
                     const std::function<Comparison()>& compare) {
  ++count_;
  channel_.send({"begin", input, right});
  try {
    channel_.mark();
    channel_.send(compare().fields());
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

void run_checks(void (*grade)(Checks&)) {
  Channel channel;
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // what is printed before a crash is not lost
  set_threads(1);                            // the limit of memory counts every thread's stack
  Checks checks(channel);
  grade(checks);
  channel.send({"end", std::to_string(checks.count())});
  std::cout.flush();
  std::fflush(nullptr);
  _exit(0);
}

}  // namespace napkin::exercises
