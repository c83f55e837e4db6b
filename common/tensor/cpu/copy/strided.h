// Strided copies between layouts of one dtype.
#pragma once
#include "common/tensor/cpu/copy/plan.h"

namespace napkin::cpu {

// `streams`: past the caches.
void copy_strided(const StridedCopy& copy, bool streams);

}  // namespace napkin::cpu
