// Compiled for the processor at hand (-march=native), as whoever is in a hurry compiles Eigen. So
// this file includes nothing of ours and is the only one of its program that includes Eigen: of an
// inline function the linker keeps one copy. Eigen's own threads wait in loops that take processors
// from whoever runs beside them: it gets one.
#include "benchmarks/eigen_product.h"

#include <Eigen/Core>

namespace napkin {

template <class T>
void eigen_product(T* c, const T* a, const T* b, std::int64_t m, std::int64_t k, std::int64_t n) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Matrix>(c, m, n).noalias() =
      Eigen::Map<const Matrix>(a, m, k) * Eigen::Map<const Matrix>(b, k, n);
}

template void eigen_product(float*, const float*, const float*, std::int64_t, std::int64_t,
                            std::int64_t);
template void eigen_product(double*, const double*, const double*, std::int64_t, std::int64_t,
                            std::int64_t);

std::string describe_eigen() {
  const std::string vectors = Eigen::SimdInstructionSetsInUse();  // the widest one first
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
         std::to_string(EIGEN_MAJOR_VERSION) + ", one thread, " +
         vectors.substr(0, vectors.find(','));
}

}  // namespace napkin
