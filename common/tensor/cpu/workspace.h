// Memory of a computation on the CPU, given back at its end.
#pragma once
#include <cstring>
#include <utility>

#include "common/core/host_memory.h"

namespace napkin::cpu {

// Room for so many T, uninitialised.
template <class T>
class Workspace {
 public:
  explicit Workspace(std::int64_t count) : bytes_(count * static_cast<std::int64_t>(sizeof(T))) {
    if (bytes_ > 0) data_ = reinterpret_cast<T*>(host::take_memory(bytes_));
  }
  ~Workspace() {
    if (data_ != nullptr) host::give_memory(reinterpret_cast<std::byte*>(data_), bytes_);
  }
  Workspace(Workspace&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Workspace& operator=(Workspace&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  T* data() const { return data_; }
  T& operator[](std::int64_t i) const { return data_[i]; }
  void zero() const {
    if (bytes_ > 0) std::memset(data_, 0, static_cast<std::size_t>(bytes_));
  }

 private:
  T* data_ = nullptr;
  std::int64_t bytes_;
};

}  // namespace napkin::cpu
