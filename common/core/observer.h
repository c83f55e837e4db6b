// Observers: what an operation did, told to whoever listens.
//
// Operations report events and do not know who listens; a ledger of FLOPs and bytes, a memory
// timeline or a demo's counter is an Observer that lives as long as its scope:
//
//   BytesMoved moved;            // a class derived from Observer
//   auto y = x.t().contiguous();
//   moved.total();               // what happened since
//
// Observers belong to the thread that made them. With none, an event costs one branch.
#pragma once
#include <cstdint>

#include "common/core/device.h"

namespace napkin {

// What a piece of memory is for, as in the table of lecture 7.
enum class Category : std::uint8_t {
  other,
  parameter,
  gradient,
  optimizer_state,
  activation,
  temporary
};

// One operation that ran, with the fewest FLOPs and bytes that it must do and move.
struct OperationEvent {
  const char* name;
  Device device;
  double flops;                // multiplications and additions, each counted as one
  std::int64_t bytes_read;     // from the operands' elements
  std::int64_t bytes_written;  // to the result's elements
};

// Memory of a storage that was taken (bytes > 0) or given back (bytes < 0).
struct AllocationEvent {
  const void* storage;  // tells storages apart; not to be followed
  Device device;
  Category category;
  std::int64_t bytes;
};

// A tensor that a function keeps for its gradient, or lets go of. Views of one storage are events
// of their own: the memory that is kept is that of the storages.
struct SavedEvent {
  const void* storage;
  Device device;
  Category category;
  std::int64_t bytes;  // of the storage; negative when it is let go
};

class Observer {
 public:
  Observer();
  virtual ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  virtual void on(const OperationEvent&) {}
  virtual void on(const AllocationEvent&) {}
  virtual void on(const SavedEvent&) {}

 private:
  friend void notify_all(const OperationEvent&);
  friend void notify_all(const AllocationEvent&);
  friend void notify_all(const SavedEvent&);
  Observer* next_;
};

// The newest observer of this thread, or null.
extern thread_local constinit Observer* newest_observer;

void notify_all(const OperationEvent& event);
void notify_all(const AllocationEvent& event);
void notify_all(const SavedEvent& event);

// Whether building an event is worth while.
inline bool anyone_listens() { return newest_observer != nullptr; }

// Tells every observer of this thread.
template <class Event>
inline void notify(const Event& event) {
  if (anyone_listens()) [[unlikely]]
    notify_all(event);
}

}  // namespace napkin
