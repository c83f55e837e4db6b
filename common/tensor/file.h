// Tensors in files: safetensors, as the Python library reads and writes them.
#pragma once
#include <map>
#include <string>

#include "common/io/safetensors.h"
#include "common/tensor/create.h"

namespace napkin {

using NamedTensors = std::map<std::string, Tensor>;

// The file's tensors, copied to the host. Refuses files that are damaged (io/safetensors.h), types
// that are no dtype here, more than 16 dimensions, and bool bytes other than 0 and 1: then nothing
// is kept of them.
NamedTensors load_safetensors(const std::string& path, Category category = Category::other);

// One tensor of the file.
Tensor load_tensor(const io::StoredTensor& stored, Category category = Category::other);

// Writes all of them or, if anything fails, nothing; an older file stays until the new one is
// complete. Of a view only its own elements are written, in row-major order. Refuses tensors that
// are undefined or on meta, which have no elements.
void save_safetensors(const std::string& path, const NamedTensors& tensors,
                      const io::Metadata& metadata = {});

}  // namespace napkin
