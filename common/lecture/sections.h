// A run of the sections: its first lines, its sections, its last line, and what became of claims.
#pragma once
#include <string>
#include <vector>

#include "common/lecture/report.h"

namespace napkin::lecture {

// Reads claims.json into the run.
void load_claims(const std::string& demo);

// "01  Tensors: ...      lecture 2.1 - 2.4"
void print_title(const std::string& demo, const std::string& title, const std::string& sections);

// "this machine: 2 cores, AVX-512, no GPU (2 claims skipped)"
// Counts the claims of the sections that run.
void print_machine(const std::vector<const Section*>& chosen);

// Whether it is the section of that number or a part of it: 2.3 of 2.
bool is_within(const std::string& section, const std::string& number);

// Those of the number: "2.3", or all of "2". Refuses what there is not, with what there is.
std::vector<const Section*> sections_of(const std::vector<Section>& all, const std::string& number);

// Runs one, and skips those of its claims that need what is not here.
void run_section(const Section& section);

// Settles the claims that were not reported: in a run of all sections they are off.
void settle_claims(bool all_sections);

// "25 claims hold, 2 skipped (no GPU), 0 off."
void print_summary();

// Whether a claim is off, or the demo reported wrongly; the latter is said on stderr.
bool something_is_off();

}  // namespace napkin::lecture
