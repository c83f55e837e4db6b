// The stream of the library: every copy, launch and allocation on the GPU is put into this one
// queue, in order. Made when first needed; it does not wait for the default stream, nor that for
// it.
#pragma once

struct CUstream_st;  // cudaStream_t, as CUDA's headers declare it, is a pointer to it

namespace napkin::gpu {

// Refuses where there is no GPU, with the reason.
CUstream_st* stream();

// Waits until the GPU has done all that it was given; then check_faults() (fault.h). Nothing where
// nothing was ever given to it.
void synchronize();

}  // namespace napkin::gpu
