// What an answer printed, sorted by the calls during which it did.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace napkin::exercises {

struct Printed {
  std::string all;                  // without the marks
  std::vector<std::string> during;  // each check, from 1; 0: before the first
};

// Takes the text apart at the marks that carry the nonce (mark_of in channel.h).
Printed sorted(std::string_view text, std::string_view nonce);

}  // namespace napkin::exercises
