// NAPKIN_INDEPENDENT before a loop: no turn of it reads what another one wrote, so it may be
// vectorised even if result and operand are the same memory.
#pragma once

#if defined(__clang__)
#define NAPKIN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define NAPKIN_INDEPENDENT _Pragma("GCC ivdep")
#else
#define NAPKIN_INDEPENDENT
#endif
