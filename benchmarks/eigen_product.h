// Eigen's product of matrices, for its row in the benchmark.
#pragma once
#include <cstdint>
#include <string>

namespace napkin {

// c = a b of row-major float or double matrices, (m, k) by (k, n), on one thread.
template <class T>
void eigen_product(T* c, const T* a, const T* b, std::int64_t m, std::int64_t k, std::int64_t n);

// "Eigen 3.4, one thread, AVX512": its vector instructions are chosen when it is compiled.
std::string describe_eigen();

}  // namespace napkin
