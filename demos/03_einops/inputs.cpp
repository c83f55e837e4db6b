#include "demos/03_einops/inputs.h"

#include <algorithm>

#include "common/core/joined.h"
#include "common/core/units.h"
#include "common/lecture/command_line/flag.h"
#include "common/tensor/layout.h"

namespace napkin {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t side = 1024, many = 1 << 20, most = 1 << 26;

static void check_sizes(std::string_view flag, const Numbers& sizes, std::size_t count,
                        std::int64_t largest) {
  lecture::with_flag(flag, sizes, [&] {
    check(sizes.size() == count, "{} sizes are needed", count);
    for (const std::int64_t n : sizes)
      check(n >= 1 && n <= largest, "a size here is 1 to {}", with_commas(largest));
  });
}

// A tensor of these sizes is made.
static void check_tensor(std::string_view flag, const Numbers& sizes, std::size_t count) {
  check_sizes(flag, sizes, count, many);
  lecture::with_flag(flag, sizes, [&] {
    std::int64_t product = 1;
    for (const std::int64_t n : sizes) product = multiply(product, n);
    check(product <= many, "the product of all sizes here is at most {}", with_commas(many));
  });
}

// The multiplications of the scores, with heads of so many numbers.
static void check_scores(const HeadSizes& n, std::string_view name, std::int64_t dim) {
  const std::int64_t work = n.batch * n.heads * n.seq * n.seq * dim;
  check(work <= most,
        "--batch {}, --heads {}, --seq {}, --{} {}: batch x heads x seq x seq x {} is {}; here at "
        "most {}",
        n.batch, n.heads, n.seq, name, dim, name, with_commas(work), with_commas(most));
}

static void check_drawn(const Numbers& sizes) {
  const auto fits = [](std::int64_t n) { return n >= 1 && n <= 64; };
  const bool all_fit = sizes.size() == 3 && std::all_of(sizes.begin(), sizes.end(), fits);
  check(
      all_fit && sizes[1] <= 8 && sizes[1] * sizes[2] <= 12 && sizes[0] * sizes[1] * sizes[2] <= 64,
      "--drawn {}: three sizes from 1 (tokens, heads, numbers of each head), with at most 8 heads, "
      "12 "
      "numbers in a token and 64 in all",
      lecture::as_typed(joined(sizes, ",")));
}

// The sizes of all sections, with heads of `dim` numbers.
static void check_heads(const HeadSizes& n) {
  check_sizes("--batch", {n.batch}, 1, side);
  check_sizes("--seq", {n.seq}, 1, side);
  check_sizes("--heads", {n.heads}, 1, side);
  check_sizes("--dim", {n.dim}, 1, side);
  check_scores(n, "dim", n.dim);
}

static void check_of_4_2(const Inputs& in) {
  check_sizes("--kv-dim", {in.kv_dim}, 1, side);
  check_scores(in.sizes, "kv-dim", in.kv_dim);
  check_tensor("--product", in.product, 3);
  check_tensor("--outer", in.outer, 2);
  check_sizes("--chain", in.chain, 4, many);
  check_sizes("--misspelt", in.misspelt, 3, many);
  check_tensor("--image", in.image, 4);
  check(in.patch >= 1 && in.image[2] % in.patch == 0 && in.image[3] % in.patch == 0,
        "--patch {}: a side that divides the image's {} and {}", in.patch, in.image[2],
        in.image[3]);
  check(in.kv_heads >= 1 && in.sizes.heads % in.kv_heads == 0,
        "--kv-heads {}: a number that divides --heads {}", in.kv_heads, in.sizes.heads);
}

void refuse_bad(lecture::Demo& demo, const Inputs& in) {
  demo.check_inputs("4", [&in] { check_heads(in.sizes); });
  demo.check_inputs("4.1", [&in] { check_drawn(in.drawn); });
  demo.check_inputs("4.2", [&in] { check_of_4_2(in); });
}

void add_inputs(lecture::Demo& demo, Inputs& in) {
  demo.input("--batch", in.sizes.batch, "4.1 - 4.3: examples, 1 to 1024");
  demo.input("--seq", in.sizes.seq,
             "4.1 - 4.3: tokens in each, 1 to 1024; batch x heads x seq x seq x dim is at most "
             "67,108,864, and so it is with kv-dim");
  demo.input("--heads", in.sizes.heads, "4.1 - 4.3: attention heads, 1 to 1024");
  demo.input("--dim", in.sizes.dim, "4.1 - 4.3: numbers of each head, 1 to 1024");
  demo.input("--drawn", in.drawn,
             "4.1: tokens, heads and numbers of each in the split that is drawn: at most 8 heads, "
             "12 numbers in a token and 64 in all");
  demo.input("--product", in.product,
             "4.2: seq1, hidden and seq2 of the matrix product, together at most 1,048,576");
  demo.input("--outer", in.outer, "4.2: sizes of the outer product, together at most 1,048,576");
  demo.input("--chain", in.chain,
             "4.2: a, b, c and d in the plan of three operands, each 1 to 1,048,576");
  demo.input("--misspelt", in.misspelt,
             "4.2: out, in and inn where an axis is misspelt, each 1 to 1,048,576");
  demo.input("--image", in.image,
             "4.2: images, channels, height, width, together at most 1,048,576");
  demo.input("--patch", in.patch, "4.2: side of a patch: divides height and width");
  demo.input("--kv-heads", in.kv_heads, "4.2: heads of the keys: divides --heads");
  demo.input("--kv-dim", in.kv_dim, "4.2: numbers of each of them, 1 to 1024");
}

}  // namespace napkin
