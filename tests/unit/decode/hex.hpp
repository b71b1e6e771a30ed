#pragma once

#include <string>
#include <string_view>

namespace gpu::decode {

/// The bytes that `hex` spells.
inline std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

}  // namespace gpu::decode
