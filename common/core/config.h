// The mark for scalar rules that CPU and GPU share.
//
// NAPKIN_HD stands before a small inline function that both a CPU loop and a GPU kernel call:
// __host__ __device__ under nvcc, nothing elsewhere.
#pragma once

#ifdef __CUDACC__
#define NAPKIN_HD __host__ __device__
#else
#define NAPKIN_HD
#endif
