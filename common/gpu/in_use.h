// Whether the stream was made: who only waits or cleans up does not start CUDA for that.
#pragma once

namespace napkin::gpu {

bool in_use();

}  // namespace napkin::gpu
