// What the checks of an exercise are written with.
//
//   void grade(napkin::exercises::Checks& checks) {
//     checks.equal("fp32 of (2, 3)", [] { return my::tensor_bytes({2, 3}, DType::fp32); },
//                  std::int64_t{24}, {{"four_bytes", 24}, {"mebibytes", 0}});
//   }
//
// One call is one check: it calls the answer on one input, compares, and reports the outcome to the
// program that grades (channel.h), or prints it where the exercise's program was started by hand.
// Wrong answers that a usual mistake would give stand beside the right one under the mistake's
// name; exercises.json has the sentence for each name. What the answer throws is caught.
#pragma once
#include <cfenv>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/tensor/dims.h"
#include "exercises/grading/not_done_yet.h"

namespace napkin {
class Tensor;
}

namespace napkin::exercises {

// How a value is shown. Checks may add overloads for types of their own, beside the type.
std::string text_of(bool value);
std::string text_of(std::int64_t value);
std::string text_of(int value);
std::string text_of(double value);  // the shortest decimal that is this number
std::string text_of(float value);
std::string text_of(const std::string& value);
std::string text_of(const Dims& value);  // (2, 3, 4), as the lecture writes shapes and strides
// Shape and values; of many only the first.
std::string text_of(const Tensor& value);

// A pattern of bits of so many digits, shown as 0x3F80.
struct Bits {
  std::uint32_t value = 0;
  int digits = 4;
  friend bool operator==(const Bits&, const Bits&) = default;
};
std::string text_of(const Bits& value);

// Values that are the same: equal bits but for the sign of zero, and any NaN is a NaN; of tensors
// dtype, shape and values (strides are not looked at).
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}
bool same(double a, double b);
bool same(float a, float b);
bool same(const Tensor& a, const Tensor& b);

// Within the tolerance, |a - b| <= tolerance, so that NaN is near nothing but NaN.
bool near(double a, double b, double tolerance);
bool near(const Tensor& a, const Tensor& b, double tolerance);

// Where two tensors differ first by more than the tolerance, and the two values there; "dtype" is
// such a place too. Empty where that cannot be said.
struct Difference {
  std::string place, got, right;
};
Difference first_difference(const Tensor& got, const Tensor& right, double tolerance = 0);

// The answer that a mistake of this name would have given.
template <class T>
struct Wrong {
  std::string_view mistake;
  T answer;
};

class Channel;

class Checks {
 public:
  explicit Checks(Channel& channel) : channel_(channel) {}
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  // input: what the answer is called with, as the learner would write it. answer(): calls it.
  template <class T, class Answer>
  void equal(const std::string& input, Answer&& answer, const T& right,
             const std::vector<Wrong<std::type_identity_t<T>>>& mistakes = {}) {
    compare<T>(input, answer, right, mistakes, 0,
               [](const T& a, const T& b) { return same(a, b); });
  }

  // The same with a tolerance; the check says beside it why it is what it is.
  template <class T, class Answer>
  void close(const std::string& input, Answer&& answer, const T& right, double tolerance,
             const std::vector<Wrong<std::type_identity_t<T>>>& mistakes = {}) {
    compare<T>(input, answer, right, mistakes, tolerance,
               [tolerance](const T& a, const T& b) { return near(a, b, tolerance); });
  }

  int count() const { return count_; }

 private:
  template <class T, class Same>
  void compare(const std::string& input, const std::function<T()>& answer, const T& given_right,
               std::vector<Wrong<T>> mistakes, double tolerance, const Same& is_same) {
    const T right = unshared(given_right);
    for (Wrong<T>& wrong : mistakes) wrong.answer = unshared(wrong.answer);
    attempt(input, text_of(right), [&]() -> Comparison {
      const T got = undisturbed(answer);
      Comparison comparison{is_same(got, right), {}, {}, {}};
      for (const Wrong<T>& wrong : mistakes) {
        Mark& mark = comparison.mark_of(wrong.mistake);
        mark.gives_this = mark.gives_this || is_same(got, wrong.answer);
        mark.gives_right = mark.gives_right || is_same(right, wrong.answer);
      }
      if (comparison.equal) return comparison;
      comparison.got = text_of(got);
      if constexpr (std::is_same_v<T, Tensor>)
        comparison.where = first_difference(got, right, tolerance);
      return comparison;
    });
  }

  // With a storage of its own, which an answer that writes into its arguments cannot reach.
  template <class T>
  static T unshared(const T& value) {
    if constexpr (std::is_same_v<T, Tensor>)
      return value.defined() ? value.clone() : value;
    else
      return value;
  }

  // Calls the answer; how the processor rounds is afterwards as it was before.
  template <class T>
  static T undisturbed(const std::function<T()>& answer) {
    struct Arithmetic {
      std::fenv_t before;
      Arithmetic() { std::fegetenv(&before); }
      ~Arithmetic() { std::fesetenv(&before); }
    } const keep;
    return answer();
  }

  // Whether one of the values that stand under a mistake's name is the answer, and the right one.
  struct Mark {
    std::string_view mistake;
    bool gives_this = false, gives_right = false;
  };
  struct Comparison {
    bool equal;
    std::string got;
    Difference where;
    std::vector<Mark> marks;

    Mark& mark_of(std::string_view mistake);
    std::vector<std::string> fields() const;  // as the channel has them
  };
  // Reports the beginning, the outcome, and whatever is thrown in between.
  void attempt(const std::string& input, const std::string& right,
               const std::function<Comparison()>& compare);

  Channel& channel_;
  int count_ = 0;
};

// What a program of checks does: sends what happens down the channel, "end" last, and leaves
// without what an answer may have left to be done at exit.
[[noreturn]] void run_checks(void (*grade)(Checks&));

}  // namespace napkin::exercises
