// Numbers for people: bytes in GB (1e9) and GiB (2^30), thousands separated, times in us and ms.
#pragma once
#include <cstdint>
#include <string>

namespace napkin {

// 603979776 -> "603,979,776".
std::string with_commas(std::int64_t n);

// Decimal units: "2.42 GB", "268.4 MB", "96 B".
std::string decimal_bytes(double bytes);

// Binary units: "2.25 GiB", "256 MiB", "96 B".
std::string binary_bytes(double bytes);

// "0.028 us", "3.7 ms", "1.2 s".
std::string duration(double seconds);

// Three significant digits, plain where readable: "1.3e+05", "12.3", "0.00123".
std::string short_number(double x);

}  // namespace napkin
