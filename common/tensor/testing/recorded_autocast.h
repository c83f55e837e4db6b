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
  io::JsonReader json({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
  std::vector<RecordedAutocast> all;
  json.object([&](const std::string& where) {
    json.object([&](const std::string& operation) {
      json.object([&](const std::string& operands) {
        const auto [device, low] = words(where);
        const auto [first, others] = words(operands);
        const std::string result = json.string();
        all.push_back({device_named(device), dtype_named(low), operation, dtype_named(first),
                       dtype_named(others),
                       result == "refused" ? std::nullopt : std::optional(dtype_named(result))});
      });
    });
  });
  json.end();
  return all;
}

}  // namespace napkin
