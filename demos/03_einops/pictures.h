// Pictures of part 03, drawn where --plot asks for them.
#pragma once
#include "common/lecture/page/cells.h"
#include "common/tensor/tensor.h"
#include "demos/03_einops/heads.h"

namespace napkin {

// Which head of the source (seq, heads x dim) each number is in, before and after a split into
// (1, heads, seq, dim) by the wrong way and by the right one (lecture 4.1). All three hold
// positions of that source.
lecture::CellPicture picture_of_splits(const HeadSizes& one, const Tensor& source,
                                       const Tensor& wrong, const Tensor& right);

// Which patch each pixel of an image (height, width) goes into: patches (patches, pixels) holds
// positions of the image (lecture 4.2).
lecture::CellPicture picture_of_patches(const Tensor& image, const Tensor& patches);

}  // namespace napkin
