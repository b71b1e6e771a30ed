#include "base/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace gpu {

std::string typed_duration(std::chrono::seconds length) {
  using std::chrono::seconds;
  static constexpr std::array<std::pair<seconds, char>, 4> kUnits = {
      {{std::chrono::days{1}, 'd'},
       {std::chrono::hours{1}, 'h'},
       {std::chrono::minutes{1}, 'm'},
       {seconds{1}, 's'}}};
  std::string text;
  for (const auto& [unit, letter] : kUnits) {
    if (length / unit > 0) text += fmt::format("{}{}", length / unit, letter);
    length %= unit;
  }
  return text.empty() ? "0s" : text;
}

}  // namespace gpu
