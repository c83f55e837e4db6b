#include "common/lecture/build.h"

namespace napkin::lecture {

bool timing_is_meaningful() {
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__) || !defined(NDEBUG)
  return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return false;
#else
  return true;
#endif
#else
  return true;
#endif
}

}  // namespace napkin::lecture
