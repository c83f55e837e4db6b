// 03 Einops: tensor operations written with the names of the axes (lecture 4).
#include "common/core/units.h"
#include "common/einops/einops.h"
#include "common/einops/einsum.h"
#include "common/einops/fixed.h"
#include "common/gpu/runtime.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/random/random.h"
#include "demos/03_einops/annotated.h"
#include "demos/03_einops/heads.h"
#include "demos/03_einops/inputs.h"
#include "demos/03_einops/layouts.h"
#include "demos/03_einops/pictures.h"
#include "demos/03_einops/plans.h"
#include "demos/03_einops/refusals.h"
#include "demos/03_einops/what_if.h"

using namespace napkin;
using lecture::Align;
using lecture::phrase;
using lecture::translated;

static Inputs in;  // the lecture's setting; every one is a flag

static Options here() { return {.dtype = DType::fp32, .device = lecture::settings().device}; }

// 0, 1, 2, ...: each element is its own position in the source. In int32 every one is exact, and
// takes four bytes as in FP32.
static Tensor positions(const Shape& shape) {
  return arange(count_elements(shape), {.dtype = DType::int32, .device = here().device})
      .view(shape);
}

// Small whole numbers, whose sums are exact in any order; the same ones at every call.
static Tensor small_numbers(const Shape& shape) {
  Generator generator(lecture::settings().seed);
  return randint(-4, 5, shape, here(), generator);
}

// ---- 4.1 ------------------------------------------------------------------------------------

static void right_shape_wrong_content() {
  const auto [B, S, H, D] = in.sizes;
  const Tensor x = positions({B, S, H * D});
  const Tensor wrong = x.view({B, H, S, D});
  const Tensor right = x.view({B, S, H, D}).transpose(1, 2);
  const Tensor named = rearrange(x, "b s (h d) -> b h s d", {{"h", H}});
  const Tensor compiled = rearrange<"b s (h d) -> b h s d">(x, axis<"h"> = H);

  lecture::say("x: (batch, seq, heads x dim) = {}, {} numbers, to become (batch, heads, seq, dim).",
               tuple(x.shape()), with_commas(x.numel()));
  lecture::Table table({{"code"}, {"shape"}, {"strides"}, {"wrong", Align::right}});
  const auto row = [&](const char* code, const Tensor& y) {
    table.row({code, tuple(y.shape()), tuple(y.strides()), with_commas(count_different(y, right))});
  };
  row("x.view(B, H, S, D)", wrong);
  row("x.view(B, S, H, D).transpose(1, 2)", right);
  row("rearrange(x, \"b s (h d) -> b h s d\", {{\"h\", H}})", named);
  row("rearrange<\"b s (h d) -> b h s d\">(x, axis<\"h\"> = H)", compiled);
  table.print();
  lecture::gap();
  lecture::claim("wrong_view_same_shape", wrong.shape() == right.shape());
  lecture::claim("wrong_view_same_content", equal(wrong, right));
  lecture::claim("rearrange_is_right", equal(named, right) && equal(compiled, right));
  what_to_see_of_splits(wrong, right,
                        "the shape is right in all of them; only the strides tell them apart.");
}

static void what_got_mixed() {
  const HeadSizes one{1, in.drawn[0], in.drawn[1], in.drawn[2]};
  const Tensor x = arange(one.seq * one.width()).view({1, one.seq, one.width()});
  lecture::say("Smaller, to be drawn. The numbers in the source x are their positions:");
  draw_source(one);
  lecture::gap();
  lecture::say("Where each piece of the result (head, token) comes from:");
  const Tensor wrong = x.view({1, one.heads, one.seq, one.dim});
  const Tensor right = rearrange(x, "b s (h d) -> b h s d", {{"h", one.heads}});
  draw_pieces(one, wrong, right);
  picture_of_splits(one, x, wrong, right).save("heads");
  what_to_see_of_splits(wrong, right,
                        "the wrong split deals out memory in its order: heads become tokens.");
}

static void nothing_crashes() {
  const auto [B, S, H, D] = in.sizes;
  Generator generator(lecture::settings().seed);
  const Tensor q = randn({B, S, H * D}, here(), generator);
  const Tensor k = randn({B, S, H * D}, here(), generator);
  const Tensor v = randn({B, S, H * D}, here(), generator);
  const auto wrong = [&, B = B, S = S, H = H, D = D](const Tensor& x) {
    return x.view({B, H, S, D});
  };
  const auto right = [H = H](const Tensor& x) {
    return rearrange(x, "b s (h d) -> b h s d", {{"h", H}});
  };

  lecture::say("Attention of random q, k, v {}, heads split both ways and merged again:",
               tuple(q.shape()));
  AttentionTable table(attention_by_loops(in.sizes, q, k, v));
  table.row("wrong", attention_weights(wrong(q), wrong(k)),
            attention(wrong(q), wrong(k), wrong(v)).reshape({B, S, H * D}));
  table.row("right", attention_weights(right(q), right(k)),
            rearrange(attention(right(q), right(k), right(v)), "b h s d -> b s (h d)"));
  table.print();
  lecture::say("off by: the largest difference from loops over all indices in FP64.");
  what_to_see_of_splits(wrong(q), right(q),
                        "no refusal, the right shape, weights that sum to 1: only other numbers.");
}

// ---- 4.2 ------------------------------------------------------------------------------------

static void einsum_sums_what_is_missing() {
  const auto [B, S, H, D] = in.sizes;
  const std::int64_t m = in.product[0], n = in.product[1], p = in.product[2];
  const Tensor a = small_numbers({m, n}), b = small_numbers({n, p});
  const Tensor q = small_numbers({B, H, S, D}), k = small_numbers({B, H, S, D}) + 1;
  const Tensor u = small_numbers({in.outer[0]}), v = small_numbers({in.outer[1]});

  PlanTable table;
  const Tensor product = table.row("seq1 hidden, hidden seq2 -> seq1 seq2", {a, b});
  const Tensor scores = table.row("b h q_pos d, b h k_pos d -> b h q_pos k_pos", {q, k});
  const Tensor outer = table.row("i, j -> i j", {u, v});
  table.print();
  print_element_of_product(a, b, product);
  print_row_of_outer(u, v, outer);
  lecture::gap();
  lecture::claim("einsum_matmul", equal(product, matmul(a, b)));
  lecture::claim("einsum_attention", equal(scores, matmul(q, k.transpose(-2, -1))));
  lecture::claim("einsum_outer_shape", listed(outer.shape()));
  lecture::what_to_see("an axis that the result does not name is multiplied along and summed.");
}

static void einsum_plans() {
  lecture::say("Three operands: two matrix products, in the order that takes the fewest FLOPs.");
  print_plan_of_chain(in.chain);
  lecture::gap();
  lecture::say("A misspelt axis is a valid pattern: inn is summed alone, and so is in.");
  print_plan("out in, inn -> out", {{in.misspelt[0], in.misspelt[1]}, {in.misspelt[2]}});
  lecture::what_to_see("a plan shows the cheap order, and an axis that nobody meant.");
}

static void rearrange_lines() {
  const auto [B, S, H, D] = in.sizes;
  const Tensor x = positions({B, S, H * D});
  const Tensor image = positions(Dims(in.image));
  LayoutTable table;
  const auto row = [&](const Tensor& y, const char* pattern,
                       std::initializer_list<AxisSize> sizes) {
    return table.row(pattern, y, [&] { return rearrange(y, pattern, sizes); });
  };
  const Tensor heads = row(x, "batch seq (heads dim) -> batch heads seq dim", {{"heads", H}});
  row(heads, "b h s d -> b s (h d)", {});
  row(x, "b s c -> (b s) c", {});
  row(x, "b s c -> s (b c)", {});
  row(image, "b c h w -> b h w c", {});
  row(image, "b c h w -> b (c h w)", {});
  row(image, "b c h w -> c (b h w)", {});
  table.print();
  lecture::gap();
  lecture::claim("heads_shape", listed(heads.shape()));
  lecture::what_to_see("split, exchange: views. Merged axes must be neighbours in memory, too.");
}

static void patches_and_back() {
  const Tensor image = positions(Dims(in.image));
  const std::int64_t P = in.patch;
  LayoutTable table;
  const Tensor patches = table.row("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", image, [&] {
    return rearrange(image, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", {{"p1", P}, {"p2", P}});
  });
  const Tensor back = table.row("b (h w) (p1 p2 c) -> b c (h p1) (w p2)", patches, [&] {
    return rearrange(patches, "b (h w) (p1 p2 c) -> b c (h p1) (w p2)",
                     {{"p1", P}, {"p2", P}, {"h", image.size(2) / P}});
  });
  table.print();
  lecture::say("put together again, every element where it was: {}",
               translated(equal(back, image) ? "yes" : "no"));
  const Tensor small = arange(24).view({4, 6});
  const char* const to_rows = "(h p1) (w p2) -> (h w) (p1 p2)";
  picture_of_patches(small, rearrange(small, to_rows, {{"p1", 2}, {"p2", 2}})).save("patches");
  lecture::gap();
  lecture::claim("patches_shape", listed(patches.shape()));
  lecture::what_to_see("the way back is the pattern read from right to left.");
}

static void reduce_named_axes() {
  const auto [B, S, H, D] = in.sizes;
  const Tensor x = small_numbers({B, S, H * D});
  const Tensor image = small_numbers(Dims(in.image));
  ReduceTable table;
  const Tensor averages = table.row(x, "batch seq hidden -> batch hidden", "mean", "over tokens");
  table.row(x, "batch seq hidden -> batch 1 hidden", "max", "keeps the axis");
  table.row(x, "batch seq (heads dim) -> heads", "min", "of each head", {{"heads", H}});
  table.row(x, "batch seq hidden ->", "sum", "of everything");
  table.row(image, "b c (h p1) (w p2) -> b c h w", "max", "max pooling",
            {{"p1", in.patch}, {"p2", in.patch}});
  table.print();
  lecture::gap();
  lecture::claim("reduce_mean", equal(averages, mean(x, {1})));
  lecture::what_to_see("the axes that the right side leaves out are gone: pooling in one line.");
}

static void repeat_kv_heads() {
  const auto [B, S, H, D] = in.sizes;
  const std::int64_t groups = H / in.kv_heads;
  const Tensor k = small_numbers({B, in.kv_heads, S, in.kv_dim});
  const Tensor q = small_numbers({B, H, S, in.kv_dim}) + 1;
  LayoutTable table;
  const Tensor copied = table.row("b kv s d -> b (kv g) s d", k, [&] {
    return repeat(k, "b kv s d -> b (kv g) s d", {{"g", groups}});
  });
  const Tensor view = table.row("b kv s d -> b kv g s d", k, [&] {
    return repeat(k, "b kv s d -> b kv g s d", {{"g", groups}});
  });
  table.print();
  lecture::say("query heads for each KV head: {}; bytes of k itself: {}", groups,
               with_commas(k.bytes()));
  const Tensor scores = einsum(q, copied, "b h q d, b h k d -> b h q k");
  const Tensor grouped = rearrange(q, "b (kv g) q d -> b kv g q d", {{"g", groups}});
  const Tensor same = einsum(grouped, k, "b kv g q d, b kv k d -> b kv g q k");
  lecture::say("scores of q with k repeated, and of grouped q with k as it is, are equal: {}",
               translated(equal(scores, same.view(scores.shape())) ? "yes" : "no"));
  const Tensor first = k.slice(1, 0, 1).expand({B, groups, S, in.kv_dim});
  lecture::gap();
  lecture::claim("repeat_gqa_shape", listed(copied.shape()));
  lecture::claim("repeat_gqa_groups", equal(copied.slice(1, 0, groups), first));
  lecture::what_to_see(
      copied.shares_storage(k)
          ? "with one KV head, or one query head for each, even the merged repeat is a view."
          : "an axis of its own repeats with stride 0; merged with kv it is a copy.");
}

static void patterns_refuse() {
  const auto [B, S, H, D] = in.sizes;
  const Tensor x = positions({B, S, H * D});
  print_pattern_refusals(x, H);
  lecture::what_to_see("the pattern says what must hold, so what does not hold is named.");
}

// ---- 4.3 ------------------------------------------------------------------------------------

static void shapes_in_the_signature() {
  const auto [B, S, H, D] = in.sizes;
  const Tensor q = small_numbers({B, H, S, D}), exchanged = q.transpose(1, 2);
  const bool checks_before = shape_checks();
  set_shape_checks(true);
  lecture::Table table({{"scores"}, {"annotation"}, {"shape"}});
  const auto row = [&](std::string what, const auto& x) {
    table.row({std::move(what), annotation_text(x), tuple(x.shape())});
  };
  row(phrase("argument {}", "q"), Query(q));
  row(phrase("argument {}", "k"), Key(q));
  row(translated("result"), scores(q, q));
  table.print();
  lecture::say("With heads and tokens of k exchanged:");
  const std::string sentence = refusal_of([&] { scores(q, exchanged); });
  if (!sentence.empty())
    lecture::print_refusal(sentence, phrase("heads is {} in q and {} in k", H, S));
  if (S == H) lecture::say("No refusal: two axes of one size, {}, cannot be told apart.", H);
  set_shape_checks(checks_before);
  lecture::gap();
  lecture::claim("shape_annotation_catches", !sentence.empty());
  lecture::what_to_see("the types always document; they check in debug builds, or where asked.");
}

int main(int argc, char** argv) {
  set_gpu_probe(gpu::probe);
  lecture::Demo demo("03_einops", "Einops: tensor operations with named axes", "4.1 - 4.3");
  demo.section("4.1", "Right shape, wrong content", right_shape_wrong_content);
  demo.section("4.1", "What got mixed up", what_got_mixed);
  demo.section("4.1", "Attention runs on", nothing_crashes);
  demo.section("4.2", "einsum: what the result does not name is summed",
               einsum_sums_what_is_missing);
  demo.section("4.2", "einsum: the plan", einsum_plans);
  demo.section("4.2", "rearrange: split, exchange, merge", rearrange_lines);
  demo.section("4.2", "rearrange: patches, and back", patches_and_back);
  demo.section("4.2", "reduce: over named axes", reduce_named_axes);
  demo.section("4.2", "repeat: KV heads for groups of query heads", repeat_kv_heads);
  demo.section("4.2", "What a pattern refuses", patterns_refuse);
  demo.section("4.3", "Shapes in the signature", shapes_in_the_signature);

  add_inputs(demo, in);
  demo.seed(0);
  refuse_bad(demo, in);
  add_rearrange_command(demo);
  add_reduce_command(demo);
  add_repeat_command(demo);
  add_einsum_command(demo);
  demo.try_next("./lecture run 03 rearrange \"b s (h d) -> b h s d\" --shape 2,5,64 --sizes h=8");
  demo.try_next("./lecture run 03 einsum \"a b, a c -> b c\" --shape 9,2 --shape 9,3");
  demo.try_next("./lecture grade 03");
  return demo.run(argc, argv);
}
