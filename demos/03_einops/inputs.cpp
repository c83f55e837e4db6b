#include "demos/03_einops/inputs.h"

#include "common/lecture/flag.h"
#include "common/tensor/layout.h"

namespace napkin {

using Numbers = std::vector<std::int64_t>;

static void check_sizes(std::string_view flag, const Numbers& sizes, std::size_t count,
                        std::int64_t most) {
  lecture::with_flag(flag, sizes, [&] {
    check(sizes.size() == count, "{} sizes are needed", count);
    std::int64_t product = 1;
    for (const std::int64_t n : sizes) {
      check(n >= 1 && n <= most, "a size here is 1 to {}", most);
      product = multiply(product, n);
    }
    check(product <= most, "the product of all sizes here is at most {}", most);
  });
}

void refuse_bad(const Inputs& in) {
  const auto [B, S, H, D] = in.sizes;
  constexpr std::int64_t side = 1024, many = 1 << 20, most = 1 << 26;
  check_sizes("--batch", {B}, 1, side);
  check_sizes("--seq", {S}, 1, side);
  check_sizes("--heads", {H}, 1, side);
  check_sizes("--dim", {D}, 1, side);
  check_sizes("--kv-dim", {in.kv_dim}, 1, side);
  check_sizes("--batch, --heads, --seq, --seq, --dim", {B, H, S, S, D}, 5, most);
  check_sizes("--batch, --heads, --seq, --seq, --kv-dim", {B, H, S, S, in.kv_dim}, 5, most);
  check_sizes("--drawn", in.drawn, 3, 64);
  check(in.drawn[1] <= 8 && in.drawn[1] * in.drawn[2] <= 12,
        "--drawn {}: heads are at most 8, heads x numbers at most 12", fmt::join(in.drawn, ","));
  check_sizes("--product", in.product, 3, many);
  check_sizes("--outer", in.outer, 2, many);
  check_sizes("--image", in.image, 4, many);
  check(in.patch >= 1 && in.image[2] % in.patch == 0 && in.image[3] % in.patch == 0,
        "--patch {}: a side that divides the image's {} and {}", in.patch, in.image[2],
        in.image[3]);
  check(in.kv_heads >= 1 && H % in.kv_heads == 0, "--kv-heads {}: a number that divides --heads {}",
        in.kv_heads, H);
}

void add_inputs(lecture::Demo& demo, Inputs& in) {
  demo.input("--batch", in.sizes.batch, "4.1 - 4.3: examples");
  demo.input("--seq", in.sizes.seq, "4.1 - 4.3: tokens in each");
  demo.input("--heads", in.sizes.heads, "4.1 - 4.3: attention heads");
  demo.input("--dim", in.sizes.dim, "4.1 - 4.3: numbers of each head");
  demo.input("--drawn", in.drawn, "4.1: tokens, heads and numbers of the split that is drawn");
  demo.input("--product", in.product, "4.2: seq1, hidden and seq2 of the matrix product");
  demo.input("--outer", in.outer, "4.2: sizes of the outer product");
  demo.input("--image", in.image, "4.2: images, channels, height, width");
  demo.input("--patch", in.patch, "4.2: side of a patch");
  demo.input("--kv-heads", in.kv_heads, "4.2: heads of the keys");
  demo.input("--kv-dim", in.kv_dim, "4.2: numbers of each of them");
}

}  // namespace napkin
