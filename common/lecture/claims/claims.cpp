// What a section says: lines, claims, values.
#include <algorithm>
#include <utility>

#include "common/core/machine.h"
#include "common/core/units.h"
#include "common/lecture/claims/claim_lines.h"
#include "common/lecture/claims/text.h"
#include "common/lecture/page/language.h"
#include "common/lecture/page/page.h"
#include "common/lecture/page/width.h"
#include "common/lecture/report.h"
#include "common/lecture/run.h"

namespace napkin::lecture {
namespace {

const std::string body(static_cast<std::size_t>(indent), ' ');

Style style_of(Verdict verdict) {
  return verdict == Verdict::ok ? Style::good : verdict == Verdict::off ? Style::bad : Style::quiet;
}

std::string word(Verdict verdict) {
  return translated(verdict == Verdict::off ? "OFF" : name(verdict));
}

// `why` replaces the verdict's word.
void print_claim(const Outcome& outcome, std::string why = {}) {
  const Claim& claim = outcome.claim;
  if (why.empty()) why = word(outcome.verdict);
  const std::string here = outcome.got ? got_text(claim, *outcome.got) : std::string();
  if (outcome.verdict == Verdict::off) set_quiet(false);
  const std::string verdict = styled(why, style_of(outcome.verdict));
  for (const std::string& line : claim_lines(claim, here, verdict, current_run().layout))
    put_line(body + line);
  if (outcome.verdict == Verdict::off && !claim.hint.empty())
    for (const std::string& line : wrapped(translated(claim.hint), columns() - 2 * indent))
      put_line(body + body + line);
  set_quiet(current_run().settings.quiet);
}

Outcome* find(const std::string& id) {
  for (Outcome& outcome : current_run().results.claims)
    if (outcome.claim.id == id) return &outcome;
  return nullptr;
}

// Whether the numbers may be judged: not with other inputs, nor a timing where it means nothing.
bool is_checked(const Claim& claim) {
  const Settings& s = current_run().settings;
  return s.lecture_setting && !(claim.timing && (s.quick || !timing_is_meaningful()));
}

// An id that claims.json lacks, or that was reported before: a fault of the demo.
void add_fault(Outcome outcome, const std::string& fault) {
  Run& run = current_run();
  outcome.verdict = run.settings.lecture_setting ? Verdict::off : Verdict::not_checked;
  if (run.settings.lecture_setting) run.faults.push_back(fault);
  print_claim(outcome);
  run.results.claims.push_back(std::move(outcome));
}

void skip(Outcome& outcome, std::string why) {
  outcome.verdict = Verdict::skipped;
  print_claim(outcome, word(Verdict::skipped) + phrase(" ({})", translated(why)));
  current_run().skipped_because[outcome.claim.id] = std::move(why);
}

}  // namespace

Run& current_run() {
  static Run run;
  return run;
}

bool was_given(std::string_view flag) { return current_run().given_flags.contains(flag); }

const Settings& settings() { return current_run().settings; }

void print_line(std::string_view text) {
  note_english(text);
  put_line(text.empty() ? std::string() : body + std::string(text));
}

void print_text(std::string_view text) {
  for (const std::string& line : wrapped(text, columns() - indent)) print_line(line);
}

void print_refusal(std::string_view sentence, std::string_view meaning) {
  constexpr int inner = 3;
  const std::string margin(inner, ' ');
  std::string text = margin + std::string(sentence);
  if (settings().chinese) text += "\n" + margin + std::string(meaning);
  for (const std::string& line : wrapped(text, columns() - indent, inner)) put_line(body + line);
}

void gap() { put_line(""); }

void what_to_see(std::string_view english) {
  print_text(phrase("What to see: {}", translated(english)));
}

// Judges what was reported for a claim; what is not judged is printed here and now.
static Outcome* reported(std::string_view id, Value got) {
  Run& run = current_run();
  const std::string full = run.id_prefix + std::string(id);
  const auto fault = [&](Claim claim, bool twice, const std::string& sentence) {
    add_fault({std::move(claim), std::move(got), Verdict::off, twice}, sentence);
    return nullptr;
  };
  Outcome* outcome = find(full);
  if (outcome == nullptr) {
    Claim unknown;
    unknown.id = full;
    unknown.section = run.section;
    return fault(unknown, false, fmt::format("claims.json has no claim {}", full));
  }
  if (outcome->got)
    return fault(outcome->claim, true, fmt::format("claim {} was reported twice", full));
  if (!is_met(outcome->claim)) {
    skip_unmet(*outcome);
    return nullptr;
  }
  outcome->verdict =
      is_checked(outcome->claim) ? decide(outcome->claim, got) : Verdict::not_checked;
  outcome->got = std::move(got);
  return outcome;
}

void claim(std::string_view id, Value got) {
  if (current_run().what_if) return print_line(fmt::format("{}  {}", id, plain_text(got)));
  if (const Outcome* outcome = reported(id, std::move(got))) print_claim(*outcome);
}

std::string cell_claims(const std::vector<CellClaim>& row) {
  Run& run = current_run();
  if (run.what_if || row.empty()) return {};
  int judged = 0;
  std::string off;
  Verdict verdict = Verdict::ok;
  for (const CellClaim& cell : row) {
    const Outcome* outcome = reported(cell.id, cell.got);
    if (outcome == nullptr) continue;
    ++judged;
    run.cells.push_back(outcome->claim.id);
    if (outcome->verdict != Verdict::off) {
      if (verdict == Verdict::ok) verdict = outcome->verdict;
      continue;
    }
    off += off.empty() ? word(Verdict::off) + ": " : translated(", ");
    off += phrase("{}, lecture {}", translated(cell.column), lecture_text(outcome->claim));
  }
  if (!off.empty()) return styled(off, Style::bad);
  if (judged == 0) return {};
  const std::string text = word(verdict);
  return styled(verdict == Verdict::ok ? fmt::format("{} {}", judged, text) : text,
                style_of(verdict));
}

void cell_claims_below() {
  Run& run = current_run();
  const std::vector<std::string> cells = std::exchange(run.cells, {});
  bool is_first = true;
  for (const std::string& id : cells) {
    const Outcome& outcome = *find(id);
    if (outcome.verdict != Verdict::off && !run.settings.claims) continue;
    if (std::exchange(is_first, false)) gap();
    print_claim(outcome);
  }
}

void skip_claim(std::string_view id, std::string_view why) {
  Run& run = current_run();
  if (run.what_if) return;
  const std::string full = run.id_prefix + std::string(id);
  Outcome* outcome = find(full);
  check(outcome != nullptr, "claims.json has no claim {} to skip", full);
  check(!outcome->claim.needs.empty(), "claim {} needs nothing and cannot be skipped", full);
  if (outcome->verdict != Verdict::skipped) skip(*outcome, std::string(why));
}

bool is_met(const Claim& claim) { return claim.needs.empty() || current_run().settings.gpu; }

int verdict_columns(const Claim& claim) {
  if (!is_met(claim)) return 0;
  const bool all = !current_run().settings.lecture_setting;  // not one timing among many
  if (all) return display_width(word(Verdict::not_checked));
  if (claim.kind == Kind::machine) return display_width(word(Verdict::shown));
  return std::max(display_width(word(Verdict::ok)), display_width(word(Verdict::off)));
}

void skip_unmet(Outcome& outcome) {
  if (outcome.verdict == Verdict::skipped) return;
  skip(outcome, this_gpu().usable ? "--device cpu" : "no GPU");
}

void show(std::string_view what, double number, std::string_view unit) {
  constexpr int label_columns = 46;
  const std::string label = pad(translated(what), std::min(label_columns, columns() - 24));
  const std::string text = short_number(number);
  const std::size_t point = std::min(text.find('.'), text.size());  // one under the other
  print_line(
      fmt::format("{}  {:>6}{:<3} {}", label, text.substr(0, point), text.substr(point), unit));
}

void value(std::string_view name, Value got) {
  auto& values = current_run().results.values;
  for (const auto& [other, old] : values) check(other != name, "value {} reported twice", name);
  values.emplace_back(name, std::move(got));
}

}  // namespace napkin::lecture
