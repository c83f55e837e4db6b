// Shape annotations (lecture 4.3): which axes a function's tensors have stands in its signature,
// and is checked where somebody asks for it.
//
//   Float<"batch heads query d"> attention(const Float<"batch heads query d">& q,
//                                          const Float<"batch heads key d">& k,
//                                          const Float<"batch heads key d">& v) {
//     Shapes shapes("attention", {{"q", q}, {"k", k}, {"v", v}});
//     ...
//     return shapes("the result", matmul(weights, v));
//   }
//
// After jaxtyping's Float[Tensor, "batch heads seq d"]. An axis has one size in all tensors that a
// Shapes has seen; a number is that size; "_" is any size, and "..." any axes in its place; nothing
// at all: a scalar. Without a Shapes in the function the types only document, as there without a
// type checker. The annotations themselves are checked when they are compiled. Unlike jaxtyping,
// Int is every integer type, and neither *name nor #name is known.
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/einops/fixed_pattern.h"
#include "common/tensor/tensor.h"

namespace napkin {

// Whether annotations are checked in this process: at first in builds without NDEBUG, and where the
// environment variable NAPKIN_CHECK_SHAPES is 1. Otherwise a Shapes costs some nanoseconds, and an
// argument that is made from a Tensor the copy of a handle.
bool shape_checks();
void set_shape_checks(bool on);

enum class DTypeKind : std::uint8_t { any, floating, integer, boolean };

struct Annotation {
  DTypeKind kind;
  std::string_view axes;
};

// A tensor that says which axes it is meant to have. It is made of any tensor without a check.
template <DTypeKind kind, Text axes,
          class = typename einops::Demand<
              decltype(einops::judged<axes, einops::Form::annotation>())>::type>
class Annotated : public Tensor {
 public:
  static constexpr Annotation annotation{kind, axes.view()};

  Annotated() = default;
  Annotated(Tensor tensor) : Tensor(std::move(tensor)) {}
};
template <Text axes>
using Float = Annotated<DTypeKind::floating, axes>;
template <Text axes>
using Int = Annotated<DTypeKind::integer, axes>;
template <Text axes>
using Bool = Annotated<DTypeKind::boolean, axes>;
template <Text axes>
using Shaped = Annotated<DTypeKind::any, axes>;  // of any dtype

template <class T>
concept IsAnnotated = std::derived_from<T, Tensor> && requires { T::annotation; };

// What the tensors of one call agree on.
class Shapes {
 public:
  // A tensor with its annotation, or an axis whose size is known: {"heads", 8}.
  struct Argument {
    template <IsAnnotated T>
    Argument(const char* called, const T& of)
        : name(called), tensor(&of), annotation(T::annotation) {}
    template <std::same_as<Tensor> Plain>
    Argument(const char* called, const Plain&) : name(called) {
      static_assert(never<Plain>,
                    "Shapes checks annotated tensors: make this one a Float<\"axis axis\">, Int, "
                    "Bool or Shaped");
    }
    Argument(const char* axis, std::int64_t known) : name(axis), size(known) {}

    const char* name;
    const Tensor* tensor = nullptr;
    Annotation annotation{};
    std::int64_t size = 0;
  };

  // Refuses arguments that are not as annotated, or do not agree. `function` and the names outlive
  // this object: they are literals.
  Shapes(const char* function, std::initializer_list<Argument> arguments);

  // The result, or a tensor in between: const Float<"query key"> scores = shapes("scores", ...);
  // checked against the type it becomes.
  class Value;
  [[nodiscard]] Value operator()(const char* name, Tensor tensor);

 private:
  template <class>
  static constexpr bool never = false;

  // The size of an axis, and where it was met: a tensor of that name, shape and annotation.
  struct Met {
    std::string_view axis;
    std::int64_t size;
    const char* name;  // null: the size was given
    Shape shape;
    std::string_view axes;

    std::string place() const;     // "in q"
    std::string sentence() const;  // "q is [2, 5, 8] as \"batch seq d\""
  };

  void check(const char* name, const Tensor& tensor, Annotation annotation);
  void meet(const Met& now);

  const char* function_;
  std::vector<Met> met_;
};

class Shapes::Value {
 public:
  Value(Shapes& shapes, const char* name, Tensor tensor)
      : shapes_(shapes), name_(name), tensor_(std::move(tensor)) {}
  template <IsAnnotated T>
  operator T() && {
    if (shape_checks()) [[unlikely]]
      shapes_.check(name_, tensor_, T::annotation);
    return std::move(tensor_);
  }

 private:
  Shapes& shapes_;
  const char* name_;
  Tensor tensor_;
};

inline Shapes::Value Shapes::operator()(const char* name, Tensor tensor) {
  return {*this, name, std::move(tensor)};
}

}  // namespace napkin
