// The run in progress: what claim(), show() and value() add to, and demo.cpp starts and ends.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/lecture/claims/claim_lines.h"
#include "common/lecture/claims/json.h"
#include "common/lecture/report.h"

namespace napkin::lecture {

struct Run {
  Settings settings;
  Results results;        // its claims: those of claims.json in their order, then unknown ones
  std::string id_prefix;  // "01."
  std::string section;    // that runs now
  bool what_if = false;   // a subcommand: no claims
  int pictures = 0;       // that --plot has written
  ClaimLayout layout;     // of the section's claims
  std::vector<std::string> cells;   // ids of claims in a table, whose lines are still to be printed
  std::vector<std::string> faults;  // of the demo itself: sentences
  std::map<std::string, std::string> skipped_because;  // id -> why
  std::set<std::string, std::less<>> given_flags;
};
Run& current_run();

// Whether what the claim needs ("cuda") is here and may be used.
bool is_met(const Claim& claim);

// Columns of the verdicts that the claim usually gets in such a run; 0 where it is skipped.
int verdict_columns(const Claim& claim);

// Judges and prints a claim that was not reported because what it needs is not here.
void skip_unmet(Outcome& outcome);

}  // namespace napkin::lecture
