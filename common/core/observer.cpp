#include "common/core/observer.h"

namespace napkin {

thread_local constinit Observer* newest_observer = nullptr;

Observer::Observer() : next_(newest_observer) { newest_observer = this; }

Observer::~Observer() {  // usually the newest; any other is unlinked where it stands
  for (Observer** link = &newest_observer; *link != nullptr; link = &(*link)->next_)
    if (*link == this) {
      *link = next_;
      return;
    }
}

void notify_all(const OperationEvent& event) {
  for (Observer* o = newest_observer; o != nullptr; o = o->next_) o->on(event);
}

void notify_all(const AllocationEvent& event) {
  for (Observer* o = newest_observer; o != nullptr; o = o->next_) o->on(event);
}

void notify_all(const SavedEvent& event) {
  for (Observer* o = newest_observer; o != nullptr; o = o->next_) o->on(event);
}

}  // namespace napkin
