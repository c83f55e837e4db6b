// Tensors as matrices of Eigen, and back: decompositions, solvers, another opinion for the tests.
//
//   as_eigen<const float>(x)    the elements of x as an Eigen::Map, to be read
//   as_eigen<float>(x)          the same, to be written, too
//   tensor_from(expression)     a new tensor with an expression's values
//
// Targets that include this link napkin::eigen. It compiles for 2 to 3 s: include it in few files,
// and in none that is compiled for several instruction sets, since the linker keeps one copy of
// each of Eigen's functions for the whole program.
#pragma once
#ifdef HWY_TARGET_INCLUDE
#error "Eigen in a file for several instruction sets: the linker would mix them up"
#endif
#include <Eigen/Core>

#include <type_traits>

#include "common/tensor/create.h"
#include "common/tensor/overlap.h"
#include "common/tensor/tensor.h"

namespace napkin {

template <>
struct DTypeOf<Eigen::bfloat16> {
  static constexpr DType value = DType::bf16;
};
template <>
struct DTypeOf<Eigen::half> {
  static constexpr DType value = DType::fp16;
};

// What Eigen computes with, and a tensor stores: not FP8, not complex numbers.
template <class T>
concept EigenScalar = requires { DTypeOf<T>::value; } && !is_small_float<T>;

template <class T>
using EigenMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using EigenMap =
    Eigen::Map<std::conditional_t<std::is_const_v<T>, const EigenMatrix<std::remove_const_t<T>>,
                                  EigenMatrix<T>>,
               Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

// A CPU tensor of 1 or 2 dimensions where it stands, with its own strides; one of n elements is a
// column of n rows. The map keeps no memory alive: it is good for as long as a tensor holds the
// storage. A map to be written counts as one write in place (Storage::version), whatever becomes of
// it, and is refused where two elements are one place.
template <class T>
  requires EigenScalar<std::remove_const_t<T>>
EigenMap<T> as_eigen(const Tensor& x) {
  const Layout& layout = x.layout();
  constexpr DType dtype = dtype_of<std::remove_const_t<T>>;
  check(layout.rank() == 1 || layout.rank() == 2,
        "as_eigen: a tensor of shape {} is no matrix; one of 1 or 2 dimensions is", layout.shape);
  check(x.device() == Device::cpu, "as_eigen: the tensor is on {}; Eigen computes on the CPU",
        name(x.device()));
  check(x.dtype() == dtype, "as_eigen: elements of {} asked for as {}; x.to(dtype) converts them",
        name(x.dtype()), name(dtype));
  if constexpr (!std::is_const_v<T>) {
    check(!may_overlap(layout),
          "as_eigen: several elements of a tensor of shape {} with strides {} share one place in "
          "memory "
          "(an expanded tensor, say): as_eigen<const T> reads it, clone() takes them apart",
          layout.shape, layout.strides);
    x.storage()->bump_version();
  }
  const bool matrix = layout.rank() == 2;
  return EigenMap<T>(x.data<std::remove_const_t<T>>(), layout.shape[0],
                     matrix ? layout.shape[1] : 1,
                     {layout.strides[0], matrix ? layout.strides[1] : 1});
}

// A row-major tensor of what a matrix, an array, a decomposition's part or any expression of them
// comes to; of one dimension where the expression's type is a row or a column.
template <class Expression>
  requires EigenScalar<typename Eigen::internal::traits<Expression>::Scalar>
Tensor tensor_from(const Eigen::EigenBase<Expression>& expression) {
  using T = typename Eigen::internal::traits<Expression>::Scalar;
  constexpr bool line = Expression::RowsAtCompileTime == 1 || Expression::ColsAtCompileTime == 1;
  const Tensor result = empty({expression.rows(), expression.cols()}, {.dtype = dtype_of<T>});
  as_eigen<T>(result) = expression.derived();
  return line ? result.view({result.numel()}) : result;
}

}  // namespace napkin
