// The numbers that a page prints, held against those that its JSON file tells: a page must not show
// what is nowhere else, since nothing would notice if it were wrong.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace napkin::lecture {

// The numbers on the page that none of `known` (a text with numbers, JSON say) rounds to, as they
// are printed. Percents, kB ... GiB, thousands with commas, codes (0x7e) and runs of bits are
// understood; numbers within a name (fp32, 2^20) are none.
std::vector<std::string> unknown_figures(std::string_view page, std::string_view known);

}  // namespace napkin::lecture
