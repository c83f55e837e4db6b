#include "demos/03_einops/pictures.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "common/lecture/report.h"
#include "demos/03_einops/layouts.h"

namespace napkin {

using lecture::phrase;
using lecture::translated;

// The numbers of a matrix in cells; group_of tells from a number which group it belongs to.
static lecture::CellPanel panel(std::string title, const Tensor& matrix, std::string_view row_name,
                                const std::function<std::int64_t(std::int64_t)>& group_of) {
  lecture::CellPanel panel{std::move(title), {}, {}};
  for (std::int64_t r = 0; r < matrix.size(0); ++r) {
    if (!row_name.empty()) panel.rows.push_back(fmt::format(fmt::runtime(translated(row_name)), r));
    auto& cells = panel.cells.emplace_back();
    for (const std::int64_t at : matrix[r].to_vector<std::int64_t>())
      cells.push_back({fmt::format("{}", at), static_cast<std::size_t>(group_of(at))});
  }
  return panel;
}

lecture::CellPicture picture_of_splits(const HeadSizes& one, const Tensor& source,
                                       const Tensor& wrong, const Tensor& right) {
  const auto head = [&](std::int64_t at) { return at % one.width() / one.dim; };
  const auto rows = [&](const Tensor& x) { return x.reshape({one.heads, one.seq * one.dim}); };
  lecture::CellPicture picture{translated("Heads split off: wrong and right"), {}, {}};
  for (std::int64_t h = 0; h < one.heads; ++h)
    picture.groups.push_back(phrase("was in head {}", h));
  picture.panels = {
      panel(phrase("source x"), source.view({one.seq, one.width()}), "token {}", head),
      panel(phrase("wrong: x.view"), rows(wrong), "head {}", head),
      panel(phrase("right: rearrange"), rows(right), "head {}", head)};
  return picture;
}

lecture::CellPicture picture_of_patches(const Tensor& image, const Tensor& patches) {
  std::vector<std::int64_t> patch_of(static_cast<std::size_t>(image.numel()));
  for (std::int64_t p = 0; p < patches.size(0); ++p)
    for (const std::int64_t at : patches[p].to_vector<std::int64_t>())
      patch_of[static_cast<std::size_t>(at)] = p;
  const auto patch = [&](std::int64_t at) { return patch_of[static_cast<std::size_t>(at)]; };
  lecture::CellPicture picture{translated("An image cut into patches"), {}, {}};
  picture.panels = {
      panel(phrase("the pixels of the image {}", tuple(image.shape())), image, "", patch),
      panel(phrase("one patch in each row"), patches, "patch {}", patch)};
  return picture;
}

}  // namespace napkin
