#include "common/gpu/blas/blas_lt.h"

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <limits>
#include <vector>

#include "common/core/error.h"
#include "common/gpu/check.h"
#include "common/gpu/stream.h"

namespace napkin::gpu {
namespace {

cublasLtHandle_t lt() {
  static const cublasLtHandle_t handle = [] {
    cublasLtHandle_t made = nullptr;
    check(blas_lt_library().create(&made));
    return made;
  }();
  return handle;
}

// An object of cuBLASLt that lives as long as its scope.
template <class Handle, auto BlasLtLibrary::*destroy>
class Owned {
 public:
  Owned() = default;
  ~Owned() { (blas_lt_library().*destroy)(handle); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Handle handle = nullptr;
};
using LtProduct = Owned<cublasLtMatmulDesc_t, &BlasLtLibrary::destroy_product>;
using LtLayout = Owned<cublasLtMatrixLayout_t, &BlasLtLibrary::destroy_layout>;
using LtPreference = Owned<cublasLtMatmulPreference_t, &BlasLtLibrary::destroy_preference>;

// A product as cuBLASLt describes it.
class Description {
 public:
  explicit Description(const BlasProduct& product)
      : types_(blas_types(product.number, product.precision)),
        alpha_(product.alpha),
        beta_(product.beta),
        plan_(blas_plan(product)) {
    const BlasLtLibrary& library = blas_lt_library();
    check(library.create_product(&product_.handle, types_.compute, types_.scale));
    set_operation(CUBLASLT_MATMUL_DESC_TRANSA, plan_.first);
    set_operation(CUBLASLT_MATMUL_DESC_TRANSB, plan_.second);
    describe(first_, plan_.first, product.batches);
    describe(second_, plan_.second, product.batches);
    describe(result_, plan_.result, product.batches);
  }

  // The kernels that cuBLASLt thinks best, best first.
  std::vector<cublasLtMatmulAlgo_t> candidates(int most) const {
    const BlasLtLibrary& library = blas_lt_library();
    LtPreference preference;
    check(library.create_preference(&preference.handle));
    const auto bytes = static_cast<std::uint64_t>(blas_workspace_bytes);
    check(library.set_preference(preference.handle, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                 &bytes, sizeof bytes));
    std::vector<cublasLtMatmulHeuristicResult_t> found(static_cast<std::size_t>(most));
    int count = 0;
    check(library.find(lt(), product_.handle, first_.handle, second_.handle, result_.handle,
                       result_.handle, preference.handle, most, found.data(), &count));
    std::vector<cublasLtMatmulAlgo_t> algorithms;
    for (int i = 0; i < count; ++i)
      if (found[static_cast<std::size_t>(i)].state == CUBLAS_STATUS_SUCCESS)
        algorithms.push_back(found[static_cast<std::size_t>(i)].algo);
    return algorithms;
  }

  cublasStatus_t run(const cublasLtMatmulAlgo_t& algorithm) const {
    void* const result = const_cast<void*>(plan_.result.data);
    return blas_lt_library().matmul(lt(), product_.handle, alpha_.get(types_), plan_.first.data,
                                    first_.handle, plan_.second.data, second_.handle,
                                    beta_.get(types_), result, result_.handle, result,
                                    result_.handle, &algorithm, blas_workspace(),
                                    static_cast<std::size_t>(blas_workspace_bytes), stream());
  }

 private:
  void set_operation(cublasLtMatmulDescAttributes_t which, const BlasOperand& x) const {
    const cublasOperation_t operation = x.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    check(blas_lt_library().set_product(product_.handle, which, &operation, sizeof operation));
  }

  void describe(LtLayout& layout, const BlasOperand& x, std::int64_t batches) const {
    const BlasLtLibrary& library = blas_lt_library();
    check(library.create_layout(&layout.handle, types_.elements, static_cast<std::uint64_t>(x.rows),
                                static_cast<std::uint64_t>(x.columns), x.step));
    const auto count = static_cast<std::int32_t>(batches);
    check(library.set_layout(layout.handle, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                             sizeof count));
    check(library.set_layout(layout.handle, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &x.batch,
                             sizeof x.batch));
  }

  BlasTypes types_;
  BlasScale alpha_, beta_;
  BlasPlan plan_;
  LtProduct product_;
  LtLayout first_, second_, result_;
};

// All that a kernel was chosen for. Memory counts by its alignment only.
using Key = std::array<std::int64_t, 20>;

Key key_of(const BlasProduct& p) {
  const auto aligned = [](const BlasMatrix& x) {
    const auto address = reinterpret_cast<std::uintptr_t>(x.data);
    return static_cast<std::int64_t>(address % 256 == 0 ? 256 : address & -address);
  };
  return {static_cast<std::int64_t>(p.number),
          static_cast<std::int64_t>(p.precision),
          p.m,
          p.n,
          p.k,
          p.batches,
          p.a.row,
          p.a.column,
          p.a.batch,
          p.b.row,
          p.b.column,
          p.b.batch,
          p.c.row,
          p.c.column,
          p.c.batch,
          aligned(p.a),
          aligned(p.b),
          aligned(p.c),
          p.alpha == 1,
          p.beta == 0};
}

struct Found {
  std::mutex mutex;
  std::map<Key, cublasLtMatmulAlgo_t> kernels;
  std::atomic<bool> any = false;
};

Found& found() {
  static Found& instance = *new Found;
  return instance;
}

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() const { check(cudaEventRecord(event_, stream())); }
  double seconds_since(const Event& first) const {
    check(cudaEventSynchronize(event_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, first.event_, event_));
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Seconds for one product, the least of some rounds; negative where the kernel refuses.
double time_of(const Description& product, const cublasLtMatmulAlgo_t& kernel) {
  constexpr int rounds = 3, runs = 5;
  if (product.run(kernel) != CUBLAS_STATUS_SUCCESS) return -1;
  double best = -1;
  for (int round = 0; round < rounds; ++round) {
    const Event first, last;
    first.record();
    for (int i = 0; i < runs; ++i) check(product.run(kernel));
    last.record();
    const double seconds = last.seconds_since(first) / runs;
    if (best < 0 || seconds < best) best = seconds;
  }
  return best;
}

}  // namespace

bool multiply_by_search(const BlasProduct& product) {
  if (!found().any) return false;
  const std::lock_guard lock(found().mutex);
  const auto kernel = found().kernels.find(key_of(product));
  if (kernel == found().kernels.end()) return false;
  const Description description(product);
  check(description.run(kernel->second));
  return true;
}

double search_product(const BlasProduct& product, int candidates) {
  napkin::check(product.m > 0 && product.n > 0 && product.k > 0 && product.batches > 0 &&
                    product.batches <= std::numeric_limits<std::int32_t>::max(),
                "a search needs a product with elements, not {} by {} by {}, {} times", product.m,
                product.k, product.n, product.batches);
  const Description description(product);
  std::optional<cublasLtMatmulAlgo_t> best;
  double least = 0;
  for (const cublasLtMatmulAlgo_t& kernel : description.candidates(candidates)) {
    const double seconds = time_of(description, kernel);
    if (seconds < 0 || (best && seconds >= least)) continue;
    best = kernel;
    least = seconds;
  }
  napkin::check(best.has_value(), "cuBLASLt has no kernel for a product of {} by {} by {}",
                product.m, product.k, product.n);
  const std::lock_guard lock(found().mutex);
  found().kernels[key_of(product)] = *best;
  found().any = true;
  return least;
}

}  // namespace napkin::gpu
