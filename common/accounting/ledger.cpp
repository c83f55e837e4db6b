#include "common/accounting/ledger.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace napkin::accounting {

double Work::intensity() const { return flops / static_cast<double>(bytes()); }

Work& Work::operator+=(const Work& other) {
  operations += other.operations;
  flops += other.flops;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  return *this;
}

Ledger::Section::Section(Ledger& ledger, std::string name)
    : ledger_(ledger), outer_(std::exchange(ledger.section_, std::move(name))) {}

Ledger::Section::~Section() { ledger_.section_ = std::move(outer_); }

void Ledger::on(const OperationEvent& event) {
  const auto same = [&](const Row& row) {
    return row.operation == event.name && row.phase == current_phase && row.section == section_;
  };
  auto row = std::ranges::find_if(rows_, same);
  if (row == rows_.end()) {
    rows_.push_back({section_, event.name, current_phase, {}});
    row = rows_.end() - 1;
  }
  row->work += {1, event.flops, event.bytes_read, event.bytes_written};
}

// What was saved before this ledger was made is not on it when it is let go.
void Ledger::on(const SavedEvent& event) {
  const bool is_new = event.bytes >= 0;
  const auto found = kept_.find(event.storage);
  if (found == kept_.end()) {
    if (!is_new) return;
    kept_[event.storage] = {event.bytes, 1, event.category};
    saved_ += event.bytes;
    most_saved_ = std::max(most_saved_, saved_);
    return;
  }
  found->second.references += is_new ? 1 : -1;
  if (found->second.references > 0) return;
  saved_ -= found->second.bytes;
  kept_.erase(found);
}

std::int64_t Ledger::saved_bytes(bool parameters) const {
  std::int64_t bytes = 0;
  for (const auto& [storage, kept] : kept_)
    if (parameters || kept.category != Category::parameter) bytes += kept.bytes;
  return bytes;
}

template <class Counts>
Work Ledger::sum_where(Counts counts) const {
  Work sum;
  for (const Row& row : rows_)
    if (counts(row)) sum += row.work;
  return sum;
}

Work Ledger::total() const {
  return sum_where([](const Row&) { return true; });
}

Work Ledger::total(Phase phase) const {
  return sum_where([&](const Row& row) { return row.phase == phase; });
}

Work Ledger::of(std::string_view operation) const {
  return sum_where([&](const Row& row) { return row.operation == operation; });
}

Work Ledger::of(std::string_view operation, Phase phase) const {
  return sum_where(
      [&](const Row& row) { return row.operation == operation && row.phase == phase; });
}

Work Ledger::of_section(std::string_view section) const {
  return sum_where([&](const Row& row) { return row.section == section; });
}

}  // namespace napkin::accounting
