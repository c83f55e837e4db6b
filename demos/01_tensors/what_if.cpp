#include "demos/01_tensors/what_if.h"

#include <charconv>
#include <optional>

#include "common/core/joined.h"
#include "common/core/units.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/page/table.h"
#include "demos/01_tensors/flags.h"
#include "demos/01_tensors/strip.h"

namespace napkin {
namespace {

struct {
  Numbers shape, index, transpose;
  std::string slice, dtype = "fp32";
} in;

std::int64_t whole_number(std::string_view text, std::string_view what) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  check(error == std::errc() && end == text.data() + text.size() && !text.empty(),
        "\"{}\" is not a whole number of 64 bits for the {}", text, what);
  return number;
}

// "start:stop:step@dimension"; each of the first three may be left out, as in Python.
Tensor sliced(const Tensor& x, std::string_view text) {
  const auto at = text.find('@');
  check(at != text.npos, "write start:stop:step@dimension, for example 0:4:2@1");
  const std::int64_t d = whole_number(text.substr(at + 1), "dimension");
  check(d >= -x.rank() && d < x.rank(), "the tensor has {} dimensions, so there is no dimension {}",
        x.rank(), d);
  std::vector<std::optional<std::int64_t>> part;
  for (std::string_view rest = text.substr(0, at);;) {
    const auto colon = rest.find(':');
    const std::string_view piece = rest.substr(0, colon);
    part.push_back(piece.empty() ? std::nullopt : std::optional(whole_number(piece, "slice")));
    if (colon == rest.npos) break;
    rest.remove_prefix(colon + 1);
  }
  check(part.size() == 2 || part.size() == 3,
        "write start:stop:step@dimension, for example 0:4:2@1");
  part.resize(3);
  return x.slice(static_cast<int>(d), part[0].value_or(0), part[1].value_or(Tensor::to_end),
                 part[2].value_or(1));
}

void print_layout(const Tensor& x, std::optional<std::int64_t> at) {
  lecture::say("shape       {}", tuple(x.shape()));
  lecture::say("strides     {:<14} elements to skip for one step along each dimension",
               tuple(x.strides()));
  lecture::say("offset      {:<14} where the view starts in the storage", x.offset());
  lecture::say("contiguous  {}", lecture::translated(x.is_contiguous() ? "yes" : "no"));
  lecture::say("elements    {}", with_commas(x.numel()));
  lecture::say("bytes       {:<14} {}", with_commas(x.bytes()),
               x.bytes() < 1024 ? "" : binary_bytes(static_cast<double>(x.bytes())));
  if (!at) return;
  lecture::say("position    {:<14} of [{}]: {}", *at, joined(in.index, ", "),
               position_sum(x, in.index));
}

void stride() {
  const Tensor base = on_meta("--shape", in.shape, "--dtype", in.dtype);
  Tensor x = base;
  if (lecture::was_given("--slice"))
    x = lecture::with_flag("--slice", in.slice, [&] { return sliced(x, in.slice); });
  if (lecture::was_given("--transpose")) x = transposed(x, "--transpose", in.transpose);
  std::optional<std::int64_t> at;
  if (lecture::was_given("--index")) at = position_of(x, "--index", in.index);

  print_layout(x, at);
  const std::int64_t row = base.rank() > 0 ? base.size(-1) : 0;
  if (const std::string drawing = strip(x, row); drawing.empty()) {
    lecture::gap();
    lecture::say("Not drawn: the storage has {} cells, which do not fit into one line.",
                 with_commas(x.storage_bytes() / size_of(x.dtype())));
  } else {
    lecture::gap();
    lecture::say("the storage, and the cells that this view touches:");
    lecture::print_line(strip(base, row));
    lecture::print_line(drawing);
  }
  if (const std::string order = walk(x); !order.empty() && !x.is_contiguous()) {
    lecture::say("in the order of the view's indices:");
    lecture::print_line("  " + order);
  }
  lecture::value("shape", listed(x.shape()));
  lecture::value("strides", listed(x.strides()));
  lecture::value("offset", x.offset());
  lecture::value("contiguous", x.is_contiguous());
  lecture::value("numel", x.numel());
  lecture::value("bytes", x.bytes());
  if (at) lecture::value("position", *at);
  lecture::value("storage_cells", base.numel());
  if (!strip(base, row).empty()) {
    lecture::value("storage", positions(base));
    lecture::value("visited", positions(x));
  }
}

void bytes() {
  const Tensor x = on_meta("--shape", in.shape, "--dtype", in.dtype);
  lecture::say("elements x bytes: {} x {} = {} B", with_commas(x.numel()), size_of(x.dtype()),
               with_commas(x.bytes()));
  lecture::Table table({{"unit"}, {"bytes"}, {"here", lecture::Align::decimal}});
  const auto row = [&](const char* unit, const char* power, double size) {
    const double here = static_cast<double>(x.bytes()) / size;
    table.row({unit, power, significant(here, 6)});
    lecture::value(unit, here);
  };
  row("MB", "10^6", 1e6);
  row("MiB", "2^20", 0x1p20);
  row("GB", "10^9", 1e9);
  row("GiB", "2^30", 0x1p30);
  table.print();
  lecture::value("numel", x.numel());
  lecture::value("bytes_per_element", size_of(x.dtype()));
  lecture::value("bytes", x.bytes());
}

}  // namespace

void add_stride_command(lecture::Demo& demo) {
  demo.command("stride", "shape, strides and positions of a view", stride)
      .required("--shape", in.shape, "sizes, for example 2,3,4")
      .input("--index", in.index, "print the position of this element of the final view")
      .input("--slice", in.slice, "start:stop:step@dimension, taken before the transpose")
      .input("--transpose", in.transpose, "two dimensions to exchange")
      .input("--dtype", in.dtype, "element type");
}

void add_bytes_command(lecture::Demo& demo) {
  demo.command("bytes", "what a tensor of any size takes", bytes)
      .required("--shape", in.shape, "sizes, for example 12288,49152")
      .input("--dtype", in.dtype, "element type");
}

}  // namespace napkin
