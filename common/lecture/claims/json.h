// The files that demos read and write: claims.json, zh.json, and the results of --json.
//
// Every refusal is a napkin::Error that names the file. Numbers without a JSON form are the texts
// "inf", "-inf" and "nan"; integers keep all of their 64 bits.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/lecture/claims/rules.h"

namespace napkin::lecture {

struct ClaimFile {
  std::string demo;  // "01_tensors"
  std::vector<Claim> claims;
};

// The claims of one demo. Refuses an id that stands twice, an unknown kind, and a kind without the
// value or tolerance that it needs.
ClaimFile read_claims(const std::string& path);

// English text -> translation.
std::map<std::string, std::string, std::less<>> read_texts(const std::string& path);

// What became of one claim in a run.
struct Outcome {
  Claim claim;
  std::optional<Value> got;  // nothing where it was not reported
  Verdict verdict = Verdict::not_checked;
  bool known = true;  // false: reported, but claims.json has no such id
};

// What --json writes.
struct Results {
  std::string demo, device = "cpu";
  int threads = 1;
  std::uint64_t seed = 0;
  bool lecture_setting = true;
  std::vector<Outcome> claims;
  std::vector<std::pair<std::string, Value>> values;
};
std::string to_json(const Results& results);

// Of a written result, what claim_check judges.
struct Reported {
  std::string id, verdict;
  std::optional<Value> got;
};
struct ReportedResults {
  std::string demo;
  bool lecture_setting;
  std::vector<Reported> claims;
};
// Refuses a file that is missing, truncated, or lacks a part.
ReportedResults read_results(const std::string& path);

}  // namespace napkin::lecture
