// Principal components: Eigen decomposes the covariance of a tensor's columns.
//   example_principal_components FILE.npy      rows are samples
#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "common/io/npy.h"
#include "common/tensor/eigen.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"

using namespace napkin;

int main(int argc, char** argv) try {
  check(argc == 2, "give the name of one .npy file");
  const io::NpyArray file = io::load_npy(argv[1]);
  check(file.shape.size() == 2 && file.shape[0] > 1 && file.shape[1] > 0,
        "{}: shape {}, but samples are 2 rows or more of a matrix", argv[1],
        to_string(Shape(file.shape)));
  const Tensor samples = from_data(file.values, Shape(file.shape));
  const Tensor centred = samples - mean(samples, {0});
  const Tensor covariance = matmul(centred.t(), centred) / (samples.size(0) - 1);

  using Solver = Eigen::SelfAdjointEigenSolver<EigenMatrix<double>>;
  const Solver solver(as_eigen<const double>(covariance));               // no copy of the tensor
  const Tensor variances = tensor_from(solver.eigenvalues().reverse());  // the largest first
  const Tensor directions = tensor_from(solver.eigenvectors().rowwise().reverse());
  const Tensor along = var(matmul(centred, directions), {0});
  const double total = sum(variances).item().to_double();
  check(total > 0 && std::isfinite(total), "{}: the variances add up to {}", argv[1], total);
  fmt::print("component   eigenvalue   variance along it   share\n");
  for (std::int64_t i = 0; i < std::min<std::int64_t>(variances.size(0), 5); ++i)
    fmt::print("{:>9}{:>13.4f}{:>20.4f}{:>6.1f} %\n", i + 1, variances.at({i}).to_double(),
               along.at({i}).to_double(), 100 * variances.at({i}).to_double() / total);
} catch (const Error& error) {
  fmt::print(stderr, "example_principal_components: {}\n", error.what());
  return 2;
}
