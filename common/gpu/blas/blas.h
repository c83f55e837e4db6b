// Matrix products on the GPU, by cuBLAS.
//
// The library is half a gigabyte and is loaded when first needed, so that a program starts
// fast, and also without it. Everything goes into the stream (stream.h): nothing waits, and once
// the first product has run, a graph can record the next ones. The workspace is fixed and atomic
// additions are off, so that a product has the same bits every time on one kind of GPU. fp32 is
// multiplied in full FP32, 16-bit formats are added up in FP32.
#pragma once
#include "common/gpu/blas/blas_plan.h"

namespace napkin::gpu {

// By cuBLAS. Refuses where the library is missing.
void multiply(const BlasProduct& product);

}  // namespace napkin::gpu
