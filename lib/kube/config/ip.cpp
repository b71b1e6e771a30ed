#include "kube/config/ip.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gpu::kube {
namespace {

constexpr std::size_t kPrefix = 12;  // of an IPv4 address in its mapped form

bool is_v4(const IpAddress& address) {
  constexpr std::array<std::uint8_t, kPrefix> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::equal(kMapped.begin(), kMapped.end(), address.begin());
}

}  // namespace

bool IpRange::contains(const IpAddress& address) const {
  // ::/0 holds no IPv4 address in Go.
  if (is_v4 != kube::is_v4(address)) return false;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const auto mask = static_cast<std::uint8_t>(0x80U >> (bit % 8));
    if (((first[bit / 8] ^ address[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

std::optional<IpAddress> parse_ip(const std::string& text) {
  IpAddress address{};
  if (::inet_pton(AF_INET6, text.c_str(), address.data()) == 1) return address;
  if (::inet_pton(AF_INET, text.c_str(), address.data() + kPrefix) != 1) return std::nullopt;
  address[kPrefix - 1] = 0xff;
  address[kPrefix - 2] = 0xff;
  return address;
}

std::optional<IpRange> parse_ip_range(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::optional<IpAddress> first = parse_ip(text.substr(0, slash));
  unsigned bits = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + slash + 1, end, bits);
  if (!first || error != std::errc{} || stop != end) return std::nullopt;
  const bool four = text.find(':') == std::string::npos;
  if (bits > (four ? 32U : 128U)) return std::nullopt;
  return IpRange{*first, four ? bits + 96 : bits, is_v4(*first)};
}

IpRange range_of(const IpAddress& address) { return {address, 128, is_v4(address)}; }

bool is_loopback(const IpAddress& address) {
  if (is_v4(address)) return address[kPrefix] == 127;
  return address == IpAddress{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
}

}  // namespace gpu::kube
