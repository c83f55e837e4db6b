// The what-if subcommands of demo 01, on tensors of any size (they live on device meta).
#pragma once
#include "common/lecture/report.h"

namespace napkin {

// 01_tensors stride --shape 2,3,4 [--index 1,2,3] [--transpose 0,2] [--slice 0:4:2@1]
//                   [--dtype fp32]
// Slices first, then transposes. Values: shape, strides (elements), offset (elements), contiguous,
// position (elements, of the index into the final view; with --index only), numel, bytes (of the
// view: numel x size of one element).
void add_stride_command(lecture::Demo& demo);

// 01_tensors bytes --shape 12288,49152 [--dtype fp32]
// Value: bytes (elements x size of one element).
void add_bytes_command(lecture::Demo& demo);

}  // namespace napkin
