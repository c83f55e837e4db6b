#include "common/einops/annotation.h"

#include "common/einops/pattern_parser.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "common/einops/pattern_parser.h"

namespace napkin {
namespace {

bool checked_at_first() {
#ifdef NDEBUG
  const char* asked = std::getenv("NAPKIN_CHECK_SHAPES");
  return asked != nullptr && std::string_view(asked) == "1";
#else
  return true;
#endif
}

std::atomic<bool>& switched() {
  static std::atomic<bool> on = checked_at_first();
  return on;
}

std::string_view of_kind(DTypeKind kind) {
  constexpr std::string_view names[] = {"Shaped", "Float", "Int", "Bool"};
  return names[static_cast<int>(kind)];
}

bool is_of(DType dtype, DTypeKind kind) {
  if (kind == DTypeKind::any) return true;
  if (dtype == DType::boolean) return kind == DTypeKind::boolean;
  return kind == (is_floating(dtype) ? DTypeKind::floating : DTypeKind::integer);
}

}  // namespace

bool shape_checks() { return switched().load(std::memory_order_relaxed); }
void set_shape_checks(bool on) { switched().store(on, std::memory_order_relaxed); }

Shapes::Shapes(const char* function, std::initializer_list<Argument> arguments)
    : function_(function) {
  if (!shape_checks()) [[likely]]
    return;
  for (const Argument& a : arguments) {
    if (a.tensor == nullptr) {
      meet({a.name, a.size, nullptr, {}, {}});
    } else {
      check(a.name, *a.tensor, a.annotation);
    }
  }
}

void Shapes::check(const char* name, const Tensor& tensor, Annotation annotation) {
  const auto [kind, axes] = annotation;
  napkin::check(tensor.defined(), "{}: {} is an undefined tensor", function_, name);
  napkin::check(is_of(tensor.dtype(), kind), "{}: {} is {}, but its annotation is {}<\"{}\">",
                function_, name, napkin::name(tensor.dtype()), of_kind(kind), axes);
  const einops::Pattern pattern = einops::parse_pattern(axes, einops::Form::annotation);
  const einops::Side& side = pattern.left();
  const bool ellipsis = side.ellipsis >= 0;
  const int named = side.dimensions - (ellipsis ? 1 : 0);
  napkin::check(ellipsis ? tensor.rank() >= named : tensor.rank() == named,
                "{}: {} is {}: rank {}, where \"{}\" has {}{}", function_, name, tensor.shape(),
                tensor.rank(), axes, ellipsis ? "at least " : "", named);
  const auto annotated = pattern.of(side);
  auto axis = annotated.begin();
  for (int i = 0, d = 0; i < side.dimensions; ++i, ++d) {
    const bool one = axis == annotated.end() || axis->dimension != i;
    if (!one && axis->is_ellipsis()) {
      d += tensor.rank() - side.dimensions;
    } else if (one || axis->is_number()) {
      const std::int64_t size = one ? 1 : axis->size;
      napkin::check(tensor.size(d) == size,
                    "{}: axis {} of {} is {}, but its annotation says {}: "
                    "{} is {} as \"{}\"",
                    function_, d, name, tensor.size(d), size, name, tensor.shape(), axes);
    } else if (axis->name != "_") {
      meet({axis->name, tensor.size(d), name, tensor.shape(), axes});
    }
    if (!one) ++axis;
  }
}

std::string Shapes::Met::place() const {
  return name == nullptr ? "as given" : fmt::format("in {}", name);
}

std::string Shapes::Met::sentence() const {
  return name == nullptr ? "" : fmt::format("{} is {} as \"{}\"", name, shape, axes);
}

void Shapes::meet(const Met& now) {
  for (const Met& before : met_) {
    if (before.axis != now.axis) continue;
    if (before.size == now.size) return;
    const std::string first = before.sentence(), second = now.sentence();
    std::string seen = first;
    if (second != first) seen += (first.empty() || second.empty() ? "" : "; ") + second;
    fail("{}: axis {} is {} {} and {} {}{}{}", function_, now.axis, before.size, before.place(),
         now.size, now.place(), seen.empty() ? "" : ": ", seen);
  }
  met_.push_back(now);
}

}  // namespace napkin
