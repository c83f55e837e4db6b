// Numbers for people: bytes in GB (1e9) and GiB (2^30), thousands separated, times in us and ms.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace napkin {

// 603979776 -> "603,979,776".
std::string with_commas(std::int64_t n);

// Decimal units, two decimals at most: "2.42 GB", "268.44 MB", "96 B".
std::string decimal_bytes(double bytes);

// Binary units, two decimals at most: "2.25 GiB", "256 MiB", "96 B".
std::string binary_bytes(double bytes);

// Two digits, or all of those before the point: "0.028 us", "3.7 ms", "128 ms", "1.2 s".
std::string duration(double seconds);

// That many significant digits and no zeros behind them; all digits before the point up to 99999,
// powers of ten from there and below 0.0001: "12.3", "0.00123", "12345", "1.3e5", "1e-8", "inf".
std::string significant(double x, int digits);

// "1 operand", "2 operands".
std::string counted(std::int64_t n, std::string_view noun);

// Three significant digits.
std::string short_number(double x);

}  // namespace napkin
