#include "demos/03_einops/heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/core/joined.h"
#include "common/einops/einsum.h"
#include "common/lecture/report.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"
#include "demos/03_einops/layouts.h"

namespace napkin {

using lecture::phrase;

void draw_source(const HeadSizes& one) {
  const auto digits = fmt::formatted_size("{}", one.seq * one.width() - 1);
  const int numbers = static_cast<int>(one.dim * static_cast<std::int64_t>(digits + 1)) - 1;
  const auto print = [&](const std::string& label, const auto& cell) {
    std::string line = lecture::pad(label, 10);
    for (std::int64_t h = 0; h < one.heads; ++h) {
      const std::string text = cell(h);
      const int width = std::max(numbers, lecture::display_width(phrase("head {}", h)));
      line += (h > 0 ? " | " : " ") + (h + 1 < one.heads ? lecture::pad(text, width) : text);
    }
    lecture::print_line(line);
  };
  print("", [](std::int64_t h) { return phrase("head {}", h); });
  for (std::int64_t s = 0; s < one.seq; ++s)
    print(phrase("token {}", s), [&](std::int64_t h) {
      std::vector<std::string> cells;
      for (std::int64_t d = 0; d < one.dim; ++d)
        cells.push_back(fmt::format("{:>{}}", (s * one.heads + h) * one.dim + d, digits));
      return joined(cells, " ");
    });
}

// The positions of one piece, and where they lie in the source.
static std::vector<std::string> piece_cells(const HeadSizes& one, const Tensor& piece) {
  const auto at = piece.to_vector<std::int64_t>();
  const std::int64_t token = at[0] / one.width(), head = at[0] % one.width() / one.dim;
  return {joined(at, " "), phrase("token {}, head {}", token, head)};
}

void draw_pieces(const HeadSizes& one, const Tensor& wrong, const Tensor& right) {
  lecture::Table table({{"result"}, {"wrong"}, {"was"}, {"right"}, {"was"}, {""}});
  for (std::int64_t h = 0; h < one.heads; ++h) {
    for (std::int64_t s = 0; s < one.seq; ++s) {
      const auto bad = piece_cells(one, wrong[0][h][s]), good = piece_cells(one, right[0][h][s]);
      table.row({phrase("head {}, token {}", h, s), bad[0], bad[1], good[0], good[1],
                 bad == good ? "" : lecture::translated("mixed up")});
    }
  }
  table.print();
}

void what_to_see_of_splits(const Tensor& wrong, const Tensor& right, std::string_view mixed_up) {
  lecture::what_to_see(
      equal(wrong, right)
          ? "with one token or one head nothing can be mixed up: both splits are the same."
          : mixed_up);
}

std::int64_t count_different(const Tensor& a, const Tensor& b) {
  return sum(ne(a, b)).item().to_int64();
}

double largest_difference(const Tensor& a, const Tensor& b) {
  return max(abs(a.to(DType::fp64) - b.to(DType::fp64))).item().to_double();
}

Tensor attention_weights(const Tensor& q, const Tensor& k) {
  const double root = std::sqrt(static_cast<double>(q.size(-1)));
  return softmax(einsum(q, k, "b h q d, b h k d -> b h q k") / root, -1);
}

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  return einsum(attention_weights(q, k), v, "b h q k, b h k d -> b h q d");
}

Tensor attention_by_loops(const HeadSizes& n, const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto Q = q.to_vector<double>(), K = k.to_vector<double>(), V = v.to_vector<double>();
  const auto at = [&](std::int64_t b, std::int64_t s, std::int64_t h, std::int64_t d) {
    return static_cast<std::size_t>(((b * n.seq + s) * n.heads + h) * n.dim + d);
  };
  std::vector<double> out(Q.size(), 0), weight(static_cast<std::size_t>(n.seq));
  const double root = std::sqrt(static_cast<double>(n.dim));
  for (std::int64_t b = 0; b < n.batch; ++b)
    for (std::int64_t h = 0; h < n.heads; ++h)
      for (std::int64_t i = 0; i < n.seq; ++i) {
        double total = 0;
        for (std::int64_t j = 0; j < n.seq; ++j) {
          double score = 0;
          for (std::int64_t d = 0; d < n.dim; ++d) score += Q[at(b, i, h, d)] * K[at(b, j, h, d)];
          total += weight[static_cast<std::size_t>(j)] = std::exp(score / root);
        }
        for (std::int64_t j = 0; j < n.seq; ++j)
          for (std::int64_t d = 0; d < n.dim; ++d)
            out[at(b, i, h, d)] += weight[static_cast<std::size_t>(j)] / total * V[at(b, j, h, d)];
      }
  return from_data(out, {n.batch, n.seq, n.width()});
}

AttentionTable::AttentionTable(Tensor truth)
    : truth_(std::move(truth)),
      table_({{"heads"},
              {"shape"},
              {"a row of weights sums to"},
              {"first numbers"},
              {"off by", lecture::Align::right}}) {}

void AttentionTable::row(std::string_view what, const Tensor& weights, const Tensor& result) {
  const Tensor sums = sum(weights, {-1});
  const auto first = result.flatten().slice(0, 0, 3).to_vector<double>();
  table_.row(
      {lecture::translated(what), tuple(result.shape()),
       fmt::format("{:.3f} - {:.3f}", min(sums).item().to_double(), max(sums).item().to_double()),
       joined(first, " ", "{:.3f}"),
       fmt::format("{:.1g}", largest_difference(result.to(Device::cpu), truth_))});
}

}  // namespace napkin
