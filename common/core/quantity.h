// Numbers as people write them: 4096, 1e6, 2.5e3, 70B, 15T, 10k; 80GB, 80GiB; 2 weeks, 36h.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace napkin {

// The number that the text is, to the last digit; nothing where it is none, has a fraction, or does
// not fit. k, M, B (G) and T are 10^3, 10^6, 10^9 and 10^12.
std::optional<std::int64_t> whole_quantity(std::string_view text);

// The double nearest to it, and infinity and NaN where they are written; nothing where it is no
// number or none that a double can hold.
std::optional<double> real_quantity(std::string_view text);

// Bytes: a number with B, kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024),
// after a blank or none; alone it is bytes.
std::optional<double> byte_quantity(std::string_view text);

// Seconds: a number with us, ms, s, min, h, d or w, or these written out ("2 weeks", "1 day"),
// after a blank or none; alone it is seconds.
std::optional<double> time_quantity(std::string_view text);

}  // namespace napkin
