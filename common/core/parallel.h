// Loops over index ranges on several threads.
//
// The pieces that threads get never decide a result: every reduction in this library has an order
// of its own, so results are the same bits at any number of threads.
#pragma once
#include <cstdint>
#include <type_traits>

namespace napkin {

// Threads that parallel loops may use; at first the processors this process may run on, or as many
// threads as can be made.
int threads();

// Sets it; refuses numbers below 1 or above 1024, and more than the system lets this process make.
void set_threads(int count);

namespace detail {
using RangeBody = void (*)(void* context, std::int64_t first, std::int64_t last);
void parallel_for(std::int64_t count, std::int64_t grain, RangeBody body, void* context);
}  // namespace detail

// Calls body(first, last) on disjoint pieces that cover [0, count), each a multiple of `grain`
// long but for the last. One call on this thread where count <= grain. An exception thrown by a
// piece is thrown again here, after all pieces have ended. A loop inside a loop, or beside one of
// another thread, runs on its own thread alone.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  detail::parallel_for(
      count, grain,
      [](void* context, std::int64_t first, std::int64_t last) {
        (*static_cast<Plain*>(context))(first, last);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace napkin
