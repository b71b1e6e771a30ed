#include "model/objects/quantity_text.hpp"

#include <fmt/format.h>

#include <array>

namespace gpu {
namespace {

std::string cpu_text(std::int64_t milli) {
  return milli % 1000 == 0 ? std::to_string(milli / 1000) : fmt::format("{}m", milli);
}

bool is_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-");
}

std::string bytes_text(std::int64_t bytes) {
  static constexpr std::array<std::string_view, 5> kUnits = {"", "Ki", "Mi", "Gi", "Ti"};
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

}  // namespace

std::string amount_text(std::string_view resource, std::int64_t compared) {
  if (resource == "gpu-fraction") return fmt::format("{}", static_cast<double>(compared) / 1000);
  if (resource == "gpu-memory") return fmt::format("{}Mi", compared);
  if (resource == "cpu") return cpu_text(compared);
  return is_bytes(resource) ? bytes_text(compared) : std::to_string(compared);
}

std::string quantity_text(std::string_view resource, Quantity amount) {
  return amount_text(resource, resource == "cpu" ? amount.milli_value() : amount.value());
}

}  // namespace gpu
