#include "common/lecture/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "common/core/joined.h"
#include "common/core/machine.h"
#include "common/lecture/command_line/inputs.h"
#include "common/lecture/data_file.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/width.h"
#include "common/lecture/run.h"

namespace napkin::lecture {
namespace {

std::array<int, 5> counts() {
  std::array<int, 5> found{};
  for (const Outcome& outcome : current_run().results.claims)
    ++found[static_cast<std::size_t>(outcome.verdict)];
  return found;
}

// "one" or "{} many".
std::string counted(int n, std::string_view one, fmt::format_string<int&> many) {
  return n == 1 ? translated(one) : phrase(many, n);
}

std::string machine_line(const std::vector<const Section*>& chosen) {
  const std::string comma = translated(", ");
  std::string line = counted(machine().cores, "1 core", "{} cores");
  if (!machine().instructions.empty()) line += comma + machine().instructions;
  line += comma + (this_gpu().usable ? this_gpu().name : translated("no GPU"));
  const auto& claims = current_run().results.claims;
  const auto runs = [&](const Claim& claim) {
    return std::ranges::any_of(chosen, [&](auto* s) { return s->number == claim.section; });
  };
  const auto unmet = static_cast<int>(std::ranges::count_if(
      claims, [&](const auto& c) { return !is_met(c.claim) && runs(c.claim); }));
  if (unmet > 0) line += counted(unmet, " (1 claim skipped)", " ({} claims skipped)");
  return phrase("this machine: {}", line);
}

// The reason, where all skipped claims have the same one.
std::string shared_reason() {
  const auto& reasons = current_run().skipped_because;
  if (reasons.empty()) return {};
  const std::string& first = reasons.begin()->second;
  for (const auto& [id, why] : reasons)
    if (why != first) return {};
  return phrase(" ({})", translated(first));
}

ClaimLayout layout_of(const std::string& number) {
  std::vector<Claim> section;
  int verdict = 0;
  for (const Outcome& outcome : current_run().results.claims)
    if (outcome.claim.section == number) {
      section.push_back(outcome.claim);
      verdict = std::max(verdict, verdict_columns(outcome.claim));
    }
  return claim_layout(section, columns(), verdict);
}

}  // namespace

void load_claims(const std::string& demo) {
  Run& run = current_run();
  const std::string path = demo_file(demo, "claims.json");
  ClaimFile file = read_claims(path);
  check(file.demo == demo, "{} is of {}, not of {}", path, file.demo, demo);
  run.id_prefix = demo.substr(0, 2) + ".";
  for (Claim& claim : file.claims) run.results.claims.push_back({std::move(claim), {}});
}

void print_title(const std::string& demo, const std::string& title, const std::string& sections) {
  const std::string left = demo.substr(0, 2) + "  " + translated(title);
  const std::string right = phrase("lecture {}", sections);
  const int room = columns() - display_width(right) - 2;
  put_line("");
  if (display_width(left) <= room) {
    put_line(styled(pad(left, room) + "  " + right, Style::title));
  } else {
    for (const std::string& line : wrapped(left, columns(), indent))
      put_line(styled(line, Style::title));
    put_line(std::string(indent, ' ') + right);
  }
}

void print_machine(const std::vector<const Section*>& chosen) {
  print_text(machine_line(chosen));
  if (!current_run().settings.lecture_setting)
    print_text(translated("not the lecture's setting: claims not checked"));
}

bool is_within(const std::string& section, const std::string& number) {
  return section == number || section.starts_with(number + ".");
}

std::vector<const Section*> sections_of(const std::vector<Section>& all,
                                        const std::string& number) {
  std::vector<const Section*> chosen;
  std::vector<std::string> numbers;
  for (const Section& section : all) {
    if (is_within(section.number, number)) chosen.push_back(&section);
    if (numbers.empty() || numbers.back() != section.number) numbers.push_back(section.number);
  }
  check(!chosen.empty() && !number.empty(),
        "--section {}: there is no such section; these exist: {}", as_typed(number),
        joined(numbers, ", "));
  return chosen;
}

void run_section(const Section& section) {
  Run& run = current_run();
  run.section = section.number;
  run.layout = layout_of(section.number);
  put_line("");
  const std::string title = section.number + " " + translated(section.title);
  for (const std::string& line : wrapped(title, columns(), indent))
    put_line(styled(line, Style::title));
  section.run();
  cell_claims_below();
  for (Outcome& outcome : run.results.claims)
    if (outcome.claim.section == section.number && !is_met(outcome.claim)) skip_unmet(outcome);
}

void settle_claims(bool all_sections) {
  Run& run = current_run();
  for (Outcome& outcome : run.results.claims) {
    if (outcome.got || outcome.verdict == Verdict::skipped) continue;
    if (!all_sections || !run.settings.lecture_setting) continue;
    if (!is_met(outcome.claim)) {  // of a section that this demo does not have
      skip_unmet(outcome);
      continue;
    }
    outcome.verdict = Verdict::off;
    run.faults.push_back(fmt::format("claim {} was not reported", outcome.claim.id));
  }
}

// What the words beside the numbers mean, those that stand on this page.
void print_legend() {
  const auto& claims = current_run().results.claims;
  const auto any = [&](auto is) { return std::ranges::any_of(claims, is); };
  const auto is = [](Verdict v) { return [v](const Outcome& o) { return o.verdict == v; }; };
  if (!any([](const Outcome& o) { return o.got.has_value(); })) return;
  std::string text = translated("lecture: what it prints");
  if (any([](const Outcome& o) { return o.got && !o.claim.stated; }))
    text += translated("; derived: what follows from that");
  if (any(is(Verdict::ok))) text += translated("; ok: the same here, within the digits printed");
  if (any(is(Verdict::shown))) text += translated("; shown: this machine's, not judged");
  if (any(is(Verdict::off))) text += translated("; OFF: another number");
  put_line("");
  print_text(text + translated("."));
}

void print_summary() {
  const auto [ok, off, shown, skipped, not_checked] = counts();
  print_legend();
  set_quiet(false);
  put_line("");
  const std::string whose = settings().quiet ? current_run().results.demo + ": " : "";
  if (!current_run().settings.lecture_setting) {
    put_line(whose + phrase("not the lecture's setting: {} claims not checked", not_checked));
    return;
  }
  std::string line = whose + counted(ok, "1 claim holds", "{} claims hold");
  if (shown > 0) line += phrase(", {} shown", shown);
  if (skipped > 0) line += phrase(", {} skipped", skipped) + shared_reason();
  if (not_checked > 0) line += phrase(", {} not checked", not_checked);
  line += phrase(", {} off.", off);
  for (const std::string& part : wrapped(line, columns(), indent))
    put_line(styled(part, off > 0 ? Style::bad : Style::title));
}

bool something_is_off() {
  const Run& run = current_run();
  for (const std::string& fault : run.faults)
    std::fputs(fmt::format("{}: {}\n", run.results.demo, fault).c_str(), stderr);
  return run.settings.lecture_setting &&
         (!run.faults.empty() || counts()[static_cast<std::size_t>(Verdict::off)] > 0);
}

}  // namespace napkin::lecture
