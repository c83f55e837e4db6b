// Which part of a training step this thread is in: what observers sort their events by.
#pragma once
#include <cstdint>
#include <utility>

namespace napkin {

enum class Phase : std::uint8_t { forward, backward, recompute, update };

inline thread_local constinit Phase current_phase = Phase::forward;

// In its scope, this phase.
class PhaseScope {
 public:
  explicit PhaseScope(Phase phase) : before_(std::exchange(current_phase, phase)) {}
  ~PhaseScope() { current_phase = before_; }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  Phase before_;
};

}  // namespace napkin
