// Without CUDA there are no tensors on the GPU, and nothing here is ever called.
#include "common/core/error.h"
#include "common/tensor/cuda/copy/copy.h"
#include "common/tensor/cuda/elementwise/elementwise.h"
#include "common/tensor/cuda/index/index.h"
#include "common/tensor/cuda/product/product.h"
#include "common/tensor/cuda/quantize/quantize.h"
#include "common/tensor/cuda/reduce/reduce.h"
#include "common/tensor/cuda/reduce/rows.h"
#include "common/tensor/cuda/sort/sort.h"

namespace napkin::cuda {
namespace {

[[noreturn]] void refuse() { fail("this program was built without CUDA"); }

}  // namespace

void copy(const Tensor&, const Tensor&, Overflow) { refuse(); }
void dequantize(const Tensor&, const BlockTensor&) { refuse(); }
void fill(const Tensor&, Scalar) { refuse(); }
void gather(const char*, const Tensor&, const Tensor&, int, const Tensor&) { refuse(); }
void multiply(const MatrixProduct&, const Batches&) { refuse(); }
void place(const Tensor&, const Tensor&, const Dims&, const Dims&, bool) { refuse(); }
void quantize(const BlockTensor&, const Tensor&) { refuse(); }
void reduce(const Tensor&, const Tensor&, const ReduceTask&) { refuse(); }
void run_along(RowOperation, const Tensor&, const Tensor&, int) { refuse(); }
void run(const RuleInfo&, const Tensor&, Inputs, DType) { refuse(); }
void scatter_add(const char*, const Tensor&, int, const Tensor&, const Tensor&, Order) { refuse(); }
void sort(const Sorted&, const Tensor&, int, bool) { refuse(); }

}  // namespace napkin::cuda
