#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace gpu::kube {

/// An IP address as 16 bytes; IPv4 in its IPv6-mapped form, as in Go's net.IP.
using IpAddress = std::array<std::uint8_t, 16>;

/// The addresses that share their first `bits` bits (of 128).
struct IpRange {
  IpAddress first{};
  unsigned bits = 128;
  bool is_v4 = false;

  [[nodiscard]] bool contains(const IpAddress& address) const;
};

/// Nothing for text that is no IP address.
std::optional<IpAddress> parse_ip(const std::string& text);

/// "10.0.0.0/8", "fd00::/8". Nothing for anything else.
std::optional<IpRange> parse_ip_range(const std::string& text);

/// The range that holds `address` alone.
IpRange range_of(const IpAddress& address);

/// 127.0.0.0/8 and ::1.
bool is_loopback(const IpAddress& address);

}  // namespace gpu::kube
