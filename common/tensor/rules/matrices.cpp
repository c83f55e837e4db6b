#include "common/tensor/rules/matrices.h"

namespace napkin {
namespace {

void erase(Batches& batches, int d) {
  for (Dims* list : {&batches.shape, &batches.a, &batches.b, &batches.c}) list->erase(d);
}

// Whether a step along d is that across all of d + 1.
bool continues(const Strides& strides, const Shape& shape, int d) {
  return strides[d] == strides[d + 1] * shape[d + 1];
}

}  // namespace

void simplify(MatrixProduct& p, Batches& batches) {
  for (int d = batches.shape.size() - 1; d >= 0; --d)
    if (batches.shape[d] == 1) erase(batches, d);
  for (int d = batches.shape.size() - 1; d >= 0; --d) {
    if (batches.b[d] != 0 || batches.a[d] != p.m * p.a.row || batches.c[d] != p.m * p.c.row) break;
    p.m *= batches.shape[d];
    erase(batches, d);
  }
  for (int d = batches.shape.size() - 2; d >= 0; --d)
    if (continues(batches.a, batches.shape, d) && continues(batches.b, batches.shape, d) &&
        continues(batches.c, batches.shape, d)) {
      batches.shape[d + 1] *= batches.shape[d];
      erase(batches, d);
    }
}

MatrixProduct at_batch(MatrixProduct p, const Batches& batches, std::int64_t number) {
  const std::int64_t size = size_of(p.dtype);
  for (int d = batches.shape.size() - 1; d >= 0; --d) {
    const std::int64_t i = number % batches.shape[d];
    number /= batches.shape[d];
    p.a.data += i * batches.a[d] * size;
    p.b.data += i * batches.b[d] * size;
    p.c.data += i * batches.c[d] * size;
  }
  return p;
}

}  // namespace napkin
