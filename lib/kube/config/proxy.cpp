#include "kube/config/proxy.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/secrets.hpp"
#include "kube/config/ip.hpp"

namespace gpu::kube {
namespace {

std::string default_port(std::string_view scheme) {
  if (scheme == "https") return "443";
  return scheme.starts_with("socks5") ? "1080" : "80";
}

/// libcurl's default for an HTTP proxy is port 1080, Go's is 80: say it always.
std::string for_libcurl(const Url& url) {
  const std::string scheme = url.scheme == "socks5" ? "socks5h" : url.scheme;
  const std::string userinfo = url.userinfo.empty() ? "" : url.userinfo + "@";
  if (const std::size_t colon = url.userinfo.find(':'); colon != std::string::npos) {
    register_secret(url.userinfo.substr(colon + 1));
    register_secret(percent_decoded(url.userinfo.substr(colon + 1)));
  }
  Url with_port = url;
  if (with_port.port.empty()) with_port.port = default_port(url.scheme);
  return scheme + "://" + userinfo + with_port.authority();
}

/// One entry of NO_PROXY.
struct Exception {
  std::optional<IpRange> range;
  std::string domain;  ///< with a leading dot
  std::string port;
  bool matches_domain_itself = false;

  [[nodiscard]] bool matches(std::string_view host, std::string_view host_port,
                             const std::optional<IpAddress>& ip) const {
    if (!port.empty() && port != host_port) return false;
    if (ip) return range && range->contains(*ip);
    if (domain.empty()) return false;
    return host.ends_with(domain) ||
           (matches_domain_itself && host == std::string_view(domain).substr(1));
  }
};

/// Splits `host:port` and `[v6]:port`; text without a port, and a bare IPv6 address, stay whole.
std::pair<std::string, std::string> split_port(const std::string& entry) {
  const std::size_t colon = entry.rfind(':');
  if (colon == std::string::npos) return {entry, ""};
  const std::string host = entry.substr(0, colon);
  const std::string port = entry.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) return {host.substr(1, host.size() - 2), port};
  if (host.find(':') != std::string::npos) return {entry, ""};
  return {host, port};
}

std::optional<Exception> exception_of(const std::string& entry) {
  Exception exception;
  exception.range = parse_ip_range(entry);
  if (exception.range) return exception;
  auto [host, port] = split_port(entry);
  if (host.empty()) return std::nullopt;
  exception.port = port;
  if (const std::optional<IpAddress> ip = parse_ip(host)) {
    exception.range = range_of(*ip);
    return exception;
  }
  if (host.starts_with("*.")) host.erase(0, 1);
  exception.matches_domain_itself = !host.starts_with('.');
  exception.domain = exception.matches_domain_itself ? "." + host : host;
  return exception;
}

bool is_excepted(const Url& server, const std::string& no_proxy) {
  const std::optional<IpAddress> ip = parse_ip(server.host);
  if (server.host == "localhost" || (ip && is_loopback(*ip))) return true;
  const std::string host = lower_case(server.host);
  const std::string port = server.port.empty() ? default_port(server.scheme) : server.port;
  for (std::size_t start = 0; start <= no_proxy.size();) {
    const std::size_t end = std::min(no_proxy.find(',', start), no_proxy.size());
    const std::string entry =
        lower_case(trimmed(std::string_view(no_proxy).substr(start, end - start)));
    start = end + 1;
    if (entry.empty()) continue;
    if (entry == "*") return true;
    const std::optional<Exception> exception = exception_of(entry);
    if (exception && exception->matches(host, port, ip)) return true;
  }
  return false;
}

std::string either(const Environment& environment, std::string_view upper_name,
                   std::string_view lower_name) {
  const std::string value = environment.get_or_empty(upper_name);
  return value.empty() ? environment.get_or_empty(lower_name) : value;
}

}  // namespace

std::string proxy_problem(std::string_view proxy_url) {
  const std::optional<Url> url = parse_url(proxy_url);
  if (!url) return "could not parse: " + without_password(proxy_url);
  if (url->scheme == "http" || url->scheme == "https" || url->scheme == "socks5") return {};
  return "unsupported scheme \"" + url->scheme + "\", must be http, https, or socks5";
}

std::string explicit_proxy(std::string_view proxy_url) {
  const std::string problem = proxy_problem(proxy_url);
  if (!problem.empty()) throw Error(ErrorKind::config, "invalid 'proxy-url': " + problem);
  const std::optional<Url> url = parse_url(proxy_url);
  return url ? for_libcurl(*url) : std::string();
}

std::string environment_proxy(const Url& server, const Environment& environment) {
  const bool tls = server.scheme == "https";
  const std::string value = tls ? either(environment, "HTTPS_PROXY", "https_proxy")
                                : either(environment, "HTTP_PROXY", "http_proxy");
  if (value.empty()) return {};
  std::optional<Url> proxy = parse_url(value);
  if (!proxy || proxy->scheme.empty() || proxy->host.empty()) proxy = parse_url("http://" + value);
  // Go takes a value that is no URL for no proxy at all.
  if (!proxy || proxy->host.empty()) return {};
  if (is_excepted(server, either(environment, "NO_PROXY", "no_proxy"))) return {};
  const bool is_known = proxy->scheme == "http" || proxy->scheme == "https" ||
                        proxy->scheme == "socks5" || proxy->scheme == "socks5h";
  // libcurl's own complaint would repeat the URL with its password.
  if (!is_known)
    throw Error(ErrorKind::config,
                "Unable to connect to the server: the proxy in " +
                    std::string(tls ? "HTTPS_PROXY" : "HTTP_PROXY") + " has the scheme \"" +
                    proxy->scheme + "\", must be http, https, or socks5",
                "unset the variable, or correct it");
  return for_libcurl(*proxy);
}

std::string without_password(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t start = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t at = url.rfind('@');
  if (at == std::string_view::npos || at < start) return std::string(url);
  const std::size_t colon = url.find(':', start);
  if (colon == std::string_view::npos || colon > at) return std::string(url);
  return std::string(url.substr(0, colon)) + std::string(url.substr(at));
}

}  // namespace gpu::kube
