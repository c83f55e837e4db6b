// Plans of einsum made before, found by what they were made of: one place for each of 256 hashes,
// as for recipes. Whoever makes the first plan of a pattern in this program hears of axes that may
// be misspelt.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_set>

#include "common/core/joined.h"
#include "common/core/warning.h"
#include "common/einops/einsum/plan.h"

namespace napkin::einops {

struct CachedEinsum::Entry {
  std::string text;
  std::vector<Shape> shapes;
  SumOfProducts plan;

  bool is_for(std::string_view pattern, std::span<const Shape* const> asked) const {
    return text == pattern &&
           std::equal(shapes.begin(), shapes.end(), asked.begin(), asked.end(),
                      [](const Shape& a, const Shape* b) { return same(a, *b); });
  }
};

namespace {

using Entry = CachedEinsum::Entry;
constexpr int place_bits = 8;

std::uint64_t hash_of(std::string_view pattern, std::span<const Shape* const> shapes) {
  std::uint64_t hash = pattern.size();
  const auto mix = [&](std::uint64_t word) { hash = hash * 0x9e3779b97f4a7c15U + word; };
  while (!pattern.empty()) {
    std::uint64_t word = 0;
    const std::size_t length = std::min(pattern.size(), sizeof(word));
    std::memcpy(&word, pattern.data(), length);
    mix(word);
    pattern.remove_prefix(length);
  }
  for (const Shape* shape : shapes)
    for (const std::int64_t size : *shape) mix(static_cast<std::uint64_t>(size));
  return hash * 0x9e3779b97f4a7c15U >> (64 - place_bits);
}

// The patterns that were warned of, by any thread.
class Told {
 public:
  bool add(std::string_view pattern) {
    const std::scoped_lock lock(mutex_);
    if (patterns_.size() >= 4096) patterns_.clear();  // so that nothing grows
    return patterns_.emplace(pattern).second;
  }
  void forget(std::string_view pattern) {
    const std::scoped_lock lock(mutex_);
    patterns_.erase(std::string(pattern));
  }

 private:
  std::mutex mutex_;
  std::unordered_set<std::string> patterns_;
};

// Of axes that may be misspelt; that a size of 1 is stretched is for explain_einsum to say.
void warn_of(std::string_view pattern, const std::vector<EinsumWarning>& warnings) {
  static Told told;
  std::vector<std::string> axes;
  for (const EinsumWarning& warning : warnings)
    if (warning.operand == 0) axes.push_back(warning.axis);
  if (axes.empty() || !told.add(pattern)) return;
  const bool one = axes.size() == 1;
  try {
    warn(
        fmt::format("einsum \"{}\": {} {} {} once and {} summed over: a typing mistake? If not, "
                    "reduce that operand first",
                    pattern, one ? "axis" : "axes", joined(axes, ", "),
                    one ? "occurs" : "each occur", one ? "is" : "are"));
  } catch (...) {
    told.forget(pattern);  // a handler that refuses does so every time
    throw;
  }
}

}  // namespace

static std::unique_ptr<Entry>& place_of(std::string_view pattern,
                                        std::span<const Shape* const> shapes) {
  thread_local const std::unique_ptr<std::unique_ptr<Entry>[]> all(
      new std::unique_ptr<Entry>[1 << place_bits]);
  return all[hash_of(pattern, shapes)];
}

CachedEinsum::CachedEinsum(std::string_view pattern, std::span<const Shape* const> shapes)
    : place_(place_of(pattern, shapes)), entry_(std::move(place_)) {
  if (entry_ != nullptr && entry_->is_for(pattern, shapes)) return;
  std::vector<Shape> all;
  for (const Shape* shape : shapes) all.push_back(*shape);
  SumOfProducts plan = plan_einsum(pattern, all);
  warn_of(pattern, plan.warnings);
  entry_.reset(new Entry{std::string(pattern), std::move(all), std::move(plan)});
}

CachedEinsum::~CachedEinsum() { place_ = std::move(entry_); }

SumOfProducts& CachedEinsum::operator*() const { return entry_->plan; }

}  // namespace napkin::einops
