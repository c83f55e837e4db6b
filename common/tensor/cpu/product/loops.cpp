// The innermost loops of matrix products: a tile of c stays in registers while k runs.
//
// Goto and van de Geijn 2008, "Anatomy of high-performance matrix multiplication": b's panel stays
// in the first cache, a's block in the second. Here a is packed by rows, at a step known to the
// compiler, so that every element of a tile's column is found from one address.
#include "common/tensor/cpu/product/loops.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/numeric/small_float.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/product/loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/cpu/independent.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int lanes_of_dots = 32;

// Registers of one element, and those whose number of lanes shows at run time only, are left to the
// compiler.
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || HWY_HAVE_SCALABLE
template <class T>
constexpr bool has_vectors = false;
#else
template <class T>
constexpr bool has_vectors = std::is_floating_point_v<T>;
#endif

template <class T>
struct Sizes {
  static constexpr int rows = 4, columns = 32;
};
#if !HWY_HAVE_SCALABLE
template <class T>
  requires has_vectors<T>
struct Sizes<T> {
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  // Sums, two registers of b and one of a fit into the 32 or 16 registers.
  static constexpr int rows = HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM_A64 ? 12 : 6;
  static constexpr int columns = 2 * lanes;
};
#endif

// a b + c; integers wrap around.
template <class T>
T multiply_add(T a, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) + static_cast<Wide>(c));
  } else {
    return a * b + c;
  }
}

template <class T, int rows>
  requires(!has_vectors<T>)
void tile(T* c, std::int64_t c_row, const T* a, const T* b, std::int64_t k, bool onto) {
  constexpr int columns = Sizes<T>::columns;
  for (int i = 0; i < rows; ++i) {
    T sum[columns] = {};
    for (int j = 0; j < columns && onto; ++j) sum[j] = c[i * c_row + j];
    for (std::int64_t p = 0; p < k; ++p)
      for (int j = 0; j < columns; ++j)
        sum[j] = multiply_add(a[i * product_row_step + p], b[p * columns + j], sum[j]);
    for (int j = 0; j < columns; ++j) c[i * c_row + j] = sum[j];
  }
}

template <class T, int rows>
  requires has_vectors<T>
void tile(T* HWY_RESTRICT c, std::int64_t c_row, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
          std::int64_t k, bool onto) {
  const hn::ScalableTag<T> d;
  constexpr int lanes = Sizes<T>::lanes;
  hn::Vec<decltype(d)> sum[rows][2];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2; ++j) sum[i][j] = hn::Zero(d);
  if (onto)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 2; ++j) sum[i][j] = hn::LoadU(d, c + i * c_row + j * lanes);
  for (std::int64_t p = 0; p < k; ++p) {
    const auto b0 = hn::Load(d, b + p * 2 * lanes), b1 = hn::Load(d, b + (p * 2 + 1) * lanes);
    for (int i = 0; i < rows; ++i) {
      const auto x = hn::Set(d, a[i * product_row_step + p]);
      sum[i][0] = hn::MulAdd(x, b0, sum[i][0]);
      sum[i][1] = hn::MulAdd(x, b1, sum[i][1]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2; ++j) hn::StoreU(sum[i][j], d, c + i * c_row + j * lanes);
}

// The tile function for each number of rows from 1 on.
template <class T>
using TileFunction = void (*)(T*, std::int64_t, const T*, const T*, std::int64_t, bool);
template <class T, int... i>
constexpr std::array<TileFunction<T>, sizeof...(i)> tiles_of(std::integer_sequence<int, i...>) {
  return {tile<T, i + 1>...};
}

template <class T>
void part_of_tile(TileFunction<T> tile_of_rows, T* c, std::int64_t c_row, const T* a, const T* b,
                  std::int64_t rows, std::int64_t columns, std::int64_t k, bool onto) {
  constexpr std::int64_t all = Sizes<T>::columns;
  alignas(64) T whole[Sizes<T>::rows * all] = {};
  const auto bytes = static_cast<std::size_t>(columns) * sizeof(T);
  for (std::int64_t i = 0; i < rows && onto; ++i)
    std::memcpy(whole + i * all, c + i * c_row, bytes);
  tile_of_rows(whole, all, a, b, k, onto);
  for (std::int64_t i = 0; i < rows; ++i) std::memcpy(c + i * c_row, whole + i * all, bytes);
}

template <class T>
void block(void* c_memory, std::int64_t c_row, const void* a_memory, const void* b_memory,
           std::int64_t m, std::int64_t n, std::int64_t k, bool onto) {
  static constexpr auto tiles = tiles_of<T>(std::make_integer_sequence<int, Sizes<T>::rows>());
  constexpr std::int64_t most = Sizes<T>::rows, panel = Sizes<T>::columns;
  const std::int64_t count = (m + most - 1) / most, rows = m / count, longer = m % count;
  for (std::int64_t j = 0; j < n; j += panel) {
    const T* b = static_cast<const T*>(b_memory) + j * k;
    const T* a = static_cast<const T*>(a_memory);
    T* c = static_cast<T*>(c_memory) + j;
    for (std::int64_t t = 0; t < count; ++t) {
      const std::int64_t here = rows + (t < longer ? 1 : 0);
      const TileFunction<T> tile_of_rows = tiles[static_cast<std::size_t>(here - 1)];
      if (j + panel <= n)
        tile_of_rows(c, c_row, a, b, k, onto);
      else
        part_of_tile(tile_of_rows, c, c_row, a, b, here, n - j, k, onto);
      a += here * product_row_step;
      c += here * c_row;
    }
  }
}

// x as float, or as it is.
template <class T, class From>
T widened(From x) {
  if constexpr (is_small_float<From>)
    return static_cast<float>(x);
  else
    return x;
}

#if !HWY_HAVE_SCALABLE
// A register of elements from memory, widened.
template <class D, class From>
HWY_INLINE hn::Vec<D> load(D d, const From* x) {
  if constexpr (std::is_same_v<From, BFloat16>)
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<hwy::bfloat16_t, D>(),
                                      reinterpret_cast<const hwy::bfloat16_t*>(x)));
  else if constexpr (std::is_same_v<From, Float16>)
    return hn::PromoteTo(
        d, hn::LoadU(hn::Rebind<hwy::float16_t, D>(), reinterpret_cast<const hwy::float16_t*>(x)));
  else
    return hn::LoadU(d, x);
}
#endif

// lanes[l] of each row gets a[l] x[l] + a[l + 32] x[l + 32] + ...; k is a multiple of 32.
template <int rows, class T, class From>
void add_to_lanes(T* lanes, const From* a, std::int64_t a_row, const T* x, std::int64_t k) {
  if constexpr (has_vectors<T>) {
    const hn::ScalableTag<T> d;
    constexpr int width = Sizes<T>::lanes, parts = lanes_of_dots / width;
    hn::Vec<decltype(d)> sum[rows][parts];
    for (int i = 0; i < rows; ++i)
      for (int q = 0; q < parts; ++q)
        sum[i][q] = hn::Load(d, lanes + i * lanes_of_dots + q * width);
    for (std::int64_t p = 0; p < k; p += lanes_of_dots)
      for (int q = 0; q < parts; ++q) {
        const auto v = hn::LoadU(d, x + p + q * width);
        for (int i = 0; i < rows; ++i)
          sum[i][q] = hn::MulAdd(load(d, a + i * a_row + p + q * width), v, sum[i][q]);
      }
    for (int i = 0; i < rows; ++i)
      for (int q = 0; q < parts; ++q)
        hn::Store(sum[i][q], d, lanes + i * lanes_of_dots + q * width);
  } else {
    for (int i = 0; i < rows; ++i)
      for (std::int64_t p = 0; p < k; ++p) {
        T& lane = lanes[i * lanes_of_dots + p % lanes_of_dots];
        lane = multiply_add(widened<T>(a[i * a_row + p]), x[p], lane);
      }
  }
}

template <int rows, class T, class From>
void some_dots(T* y, const From* a, std::int64_t a_row, const T* x, std::int64_t k) {
  alignas(64) T lanes[rows * lanes_of_dots] = {};
  const std::int64_t whole = k - k % lanes_of_dots;
  add_to_lanes<rows>(lanes, a, a_row, x, whole);
  if (whole < k) {  // filled up with zeros
    alignas(64) From rest[rows * lanes_of_dots] = {};
    alignas(64) T rest_of_x[lanes_of_dots] = {};
    for (int i = 0; i < rows; ++i)
      std::copy_n(a + i * a_row + whole, k - whole, rest + i * lanes_of_dots);
    std::copy_n(x + whole, k - whole, rest_of_x);
    add_to_lanes<rows>(lanes, rest, lanes_of_dots, rest_of_x, lanes_of_dots);
  }
  for (int i = 0; i < rows; ++i) {
    T* lane = lanes + i * lanes_of_dots;
    for (int half = lanes_of_dots / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) lane[l] = multiply_add(lane[l + half], T{1}, lane[l]);
    y[i] = lane[0];
  }
}

template <class T, class From>
void dots(void* y_memory, const void* a_memory, std::int64_t a_row, const void* x_memory,
          std::int64_t rows, std::int64_t k) {
  T* y = static_cast<T*>(y_memory);
  const From* a = static_cast<const From*>(a_memory);
  const T* x = static_cast<const T*>(x_memory);
  std::int64_t i = 0;
  for (; i + 4 <= rows; i += 4) some_dots<4>(y + i, a + i * a_row, a_row, x, k);
  for (; i < rows; ++i) some_dots<1>(y + i, a + i * a_row, a_row, x, k);
}

template <int rows, class T, class From>
void combine_rows(T* y, const T* x, const From* b, std::int64_t b_row, std::int64_t n) {
  std::int64_t j = 0;
  if constexpr (has_vectors<T>) {
    const hn::ScalableTag<T> d;
    constexpr int width = Sizes<T>::lanes;
    for (; j + width <= n; j += width) {
      auto sum = hn::LoadU(d, y + j);
      for (int p = 0; p < rows; ++p)
        sum = hn::MulAdd(hn::Set(d, x[p]), load(d, b + p * b_row + j), sum);
      hn::StoreU(sum, d, y + j);
    }
    if (j == n) return;
    T last[width] = {};
    From last_of_b[rows * width] = {};
    std::copy_n(y + j, n - j, last);
    for (int p = 0; p < rows; ++p) std::copy_n(b + p * b_row + j, n - j, last_of_b + p * width);
    combine_rows<rows>(last, x, last_of_b, width, width);
    std::copy_n(last, n - j, y + j);
  } else {
    for (int p = 0; p < rows; ++p)
      for (j = 0; j < n; ++j) y[j] = multiply_add(x[p], widened<T>(b[p * b_row + j]), y[j]);
  }
}

template <class T, class From>
void combine(void* y_memory, const void* x_memory, const void* b_memory, std::int64_t b_row,
             std::int64_t k, std::int64_t n) {
  T* y = static_cast<T*>(y_memory);
  const T* x = static_cast<const T*>(x_memory);
  const From* b = static_cast<const From*>(b_memory);
  std::int64_t p = 0;
  for (; p + 4 <= k; p += 4) combine_rows<4>(y, x + p, b + p * b_row, b_row, n);
  for (; p < k; ++p) combine_rows<1>(y, x + p, b + p * b_row, b_row, n);
}

template <class T, class From = T>
ProductLoops loops_of() {
  return {Sizes<T>::columns, block<T>, dots<T, From>, combine<T, From>};
}

ProductLoops find_product_loops(DType dtype) {
  if (dtype == DType::fp64) return loops_of<double>();
  if (dtype == DType::fp32) return loops_of<float>();
  if (dtype == DType::bf16) return loops_of<float, BFloat16>();
  if (dtype == DType::fp16) return loops_of<float, Float16>();
  return loops_of<std::int64_t>();
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_product_loops);
ProductLoops product_loops(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_product_loops)(dtype); }

}  // namespace napkin::cpu
#endif
