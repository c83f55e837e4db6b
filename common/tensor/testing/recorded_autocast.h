// For the tests: what PyTorch's autocast made of every operator (reference/autocast.py), or of
// einsum's patterns (reference/autocast_einsum.py).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/core/device.h"
#include "common/io/file.h"
#include "common/io/json.h"
#include "common/numeric/dtype.h"

namespace napkin {

struct RecordedAutocast {
  Device device;
  DType low;
  std::string operation;        // or the pattern
  DType first, others;          // of the operands
  std::optional<DType> result;  // none where PyTorch refused
};

inline std::vector<RecordedAutocast> recorded_autocast(const std::string& golden = "autocast") {
  const auto words = [](const std::string& text) {
    const std::size_t space = text.find(' ');
    return std::pair(text.substr(0, space), text.substr(space == text.npos ? 0 : space + 1));
  };
  const io::MappedFile file(NAPKIN_SOURCE "/reference/golden/" + golden + ".json");
  std::vector<RecordedAutocast> all;
  // {"device low": {"operation": {"first others": "result"}}}
  io::read_json(file.text(), {.depth = 3}, [&](const io::JsonPiece& piece) {
    if (piece.kind != io::JsonPiece::Kind::text) return;
    const auto [device, low] = words(piece.path[0]);
    const auto [first, others] = words(piece.path[2]);
    const std::string result(piece.text);
    all.push_back({device_named(device), dtype_named(low), piece.path[1], dtype_named(first),
                   dtype_named(others),
                   result == "refused" ? std::nullopt : std::optional(dtype_named(result))});
  });
  return all;
}

}  // namespace napkin
