// The ledger of operations (lecture 5 and 6): the FLOPs and bytes of what ran, by operation, by
// phase and by section.
//
//   Ledger ledger;
//   { const Ledger::Section name(ledger, "layer 0"); y = relu(matmul(x, w)); }
//   sum(y).backward();
//   ledger.total(Phase::forward).flops;   ledger.of("matmul").intensity();
//
// FLOPs are multiplications and additions, each counted as one, so that a product of (m, k) by (k,
// n) has 2 m k n. Bytes are the fewest that must be moved: each operand's elements once, the
// result's once. Counts come from the operations that ran (core/observer.h), not from formulas.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/core/observer.h"
#include "common/core/phase.h"

namespace napkin::accounting {

struct Work {
  std::int64_t operations = 0;
  double flops = 0;
  std::int64_t bytes_read = 0, bytes_written = 0;

  std::int64_t bytes() const { return bytes_read + bytes_written; }
  // FLOPs for each byte; NaN where nothing was moved.
  double intensity() const;
  Work& operator+=(const Work& other);
};

class Ledger : public Observer {
 public:
  struct Row {
    std::string section, operation;  // "" outside of sections
    Phase phase;
    Work work;
  };

  // Names what runs in its scope. Inner ones count; what runs backwards has the section that it
  // runs in, not the one it was recorded in.
  class Section {
   public:
    Section(Ledger& ledger, std::string name);
    ~Section();
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

   private:
    Ledger& ledger_;
    std::string outer_;
  };

  // In the order in which they first ran.
  const std::vector<Row>& rows() const { return rows_; }
  Work total() const;
  Work total(Phase phase) const;
  Work of(std::string_view operation) const;
  Work of(std::string_view operation, Phase phase) const;
  Work of_section(std::string_view section) const;

  // Bytes of the storages that functions have saved for their gradients since this ledger was made
  // and still keep, each storage once; and the most there were at a time. Parameters are counted
  // where `parameters` says so, that is those of Category::parameter.
  std::int64_t saved_bytes(bool parameters = true) const;
  std::int64_t most_saved_bytes() const { return most_saved_; }

  void on(const OperationEvent& event) override;
  void on(const SavedEvent& event) override;

 private:
  template <class Counts>
  Work sum_where(Counts counts) const;

  struct Kept {
    std::int64_t bytes = 0, references = 0;
    Category category = Category::other;
  };
  std::vector<Row> rows_;
  std::string section_;
  std::map<const void*, Kept> kept_;
  std::int64_t saved_ = 0, most_saved_ = 0;
};

}  // namespace napkin::accounting
