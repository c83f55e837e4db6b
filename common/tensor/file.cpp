#include "common/tensor/file.h"

#include <algorithm>
#include <vector>

#include "common/io/json.h"

namespace napkin {

Tensor load_tensor(const io::StoredTensor& stored, Category category) {
  const DType dtype = io::dtype_of_stored(stored);
  check(stored.shape.size() <= max_rank, "tensor {} has {} dimensions, at most {} are allowed",
        io::in_quotes(stored.name), stored.shape.size(), max_rank);
  if (dtype == DType::boolean) {
    const auto at = std::ranges::find_if(stored.data, [](std::byte b) { return b > std::byte{1}; });
    check(at == stored.data.end(), "tensor {} of type BOOL: byte {} is neither 0 nor 1",
          io::in_quotes(stored.name), at - stored.data.begin());
  }
  const Tensor x = empty(Shape(std::span(stored.shape)), {.dtype = dtype, .category = category});
  std::ranges::copy(stored.data, static_cast<std::byte*>(x.raw_data()));
  return x;
}

NamedTensors load_safetensors(const std::string& path, Category category) {
  const io::SafetensorsFile file(path);
  NamedTensors result;
  for (const io::StoredTensor& stored : file.tensors())
    result.emplace(stored.name, load_tensor(stored, category));
  return result;
}

void save_safetensors(const std::string& path, const NamedTensors& tensors,
                      const io::Metadata& metadata) {
  std::vector<Tensor> dense;  // keeps the copies of views alive
  std::vector<io::StoredTensor> stored;
  for (const auto& [name, tensor] : tensors) {
    check(tensor.defined(), "tensor {} is undefined and cannot be saved", io::in_quotes(name));
    check(tensor.device() != Device::meta, "tensor {} is on meta and has no elements to save",
          io::in_quotes(name));
    const Tensor& x = dense.emplace_back(tensor.to(Device::cpu).contiguous());
    const std::span bytes(static_cast<const std::byte*>(x.raw_data()),
                          static_cast<std::size_t>(x.bytes()));
    stored.push_back({name,
                      std::string(io::stored_type(x.dtype())),
                      {x.shape().begin(), x.shape().end()},
                      bytes});
  }
  io::save_safetensors(path, std::move(stored), metadata);
}

}  // namespace napkin
