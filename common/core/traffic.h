// Traffic: an observer that adds up what operations move and what storages take.
//
//   const Traffic traffic;
//   Tensor y = x.t().contiguous();
//   traffic.moved();       // 2 x bytes of x: each element is read once and written once
//   traffic.allocated();   // bytes of y
#pragma once
#include <cstdint>

#include "common/core/observer.h"

namespace napkin {

class Traffic : public Observer {
 public:
  void on(const OperationEvent& event) override {
    moved_ += event.bytes_read + event.bytes_written;
  }
  void on(const AllocationEvent& event) override {
    if (event.bytes > 0) allocated_ += event.bytes;
  }
  // Bytes read and written by operations since this observer was made.
  std::int64_t moved() const { return moved_; }
  // Bytes of storages made since then, whether or not they are freed again.
  std::int64_t allocated() const { return allocated_; }

 private:
  std::int64_t moved_ = 0, allocated_ = 0;
};

}  // namespace napkin
