// Claims on a page, lined up.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/lecture/claims/rules.h"

namespace napkin::lecture {

// Where the parts of the claims of one section stand. One line where all fits:
//     [01.strides_3x4] strides of a 3x4 tensor      lecture (4, 1)   here (4, 1)   ok
// "derived" where the lecture prints no number, but what it follows from.
struct ClaimLayout {
  int page = 96;          // columns of a whole line
  int id = 0;             // columns of the id; 0: the sentence follows the id at once
  int left = 0;           // columns of id and sentence, where they are short enough
  int verdict = 0;        // where the verdict begins
  int lecture = 0;        // columns of the lecture's number
  int here = 0;           // columns of this machine's
  bool one_line = false;  // the numbers stand beside the sentence, else under it
};
// `verdict`: columns of the widest word that these claims may get.
ClaimLayout claim_layout(std::span<const Claim> section, int page, int verdict);

// The lines of one claim. `here` is empty where there is no number; `verdict` ends it, translated
// and coloured.
std::vector<std::string> claim_lines(const Claim& claim, const std::string& here,
                                     std::string_view verdict, const ClaimLayout& layout);

}  // namespace napkin::lecture
