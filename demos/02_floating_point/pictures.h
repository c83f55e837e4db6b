// Number formats as tables and drawings: their bits, their numbers on a line, and what becomes of
// numbers of every size.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/numeric/format_info.h"

namespace napkin {

// Bits, largest, smallest and spacing of every format.
void print_formats();

// A number as each of the formats keeps it: sign, exponent, mantissa.
void print_bits(double x, const std::vector<Format>& formats);

// Two lines: the format's numbers from 0 to `high`, each where it lies ('|', or '#' where several
// share a column), and under them what some of them are.
std::vector<std::string> number_line(const Format& format, double high, int columns);

// The codes without a sign and the numbers they stand for.
void print_codes(const Format& format);

// Refuses, naming the flag, other than three numbers that FP64 adds exactly.
void check_added(std::string_view flag, const std::vector<std::int64_t>& added);
// first + each of them: the numbers below and above, and which is taken.
void print_nearest(const Format& format, double first, const std::vector<std::int64_t>& added);

void print_number_line(std::string_view what, const Format& format, double high);

// Normal values of that size times powers of two whose exponents are normal as well.
std::vector<float> gradients_of_many_sizes(std::uint64_t seed, std::int64_t count, double size);

// The share of them that is 0 in the format, once multiplied by the scale.
double share_lost(std::span<const float> values, double scale, const Format& format);

// How many of the values have which size, before and after they are multiplied by `scale`, and what
// the format makes of numbers of that size. Printed as a table of bars, two binary orders a row.
void print_sizes(std::span<const float> values, double scale, const Format& format);

}  // namespace napkin
