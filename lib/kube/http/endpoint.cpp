#include "kube/http/endpoint.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "kube/config/url.hpp"

namespace gpu::kube {
namespace {

struct UrlCleanup {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using CurlUrl = std::unique_ptr<CURLU, UrlCleanup>;

CurlUrl curl_url_of(const std::string& text) {
  CurlUrl url(curl_url());
  if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != 0)
    return nullptr;
  return url;
}

std::string part_of(const CurlUrl& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, 0) != 0) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

std::string bracketed(const std::string& host) {
  const bool bare_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  return bare_ipv6 ? "[" + host + "]" : host;
}

std::string unbracketed(const std::string& host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

}  // namespace

Endpoint endpoint_of(const Connection& connection) {
  const CurlUrl url = curl_url_of(connection.server);
  if (!url)
    throw Error(ErrorKind::config, fmt::format("the server's address cannot be read: {}",
                                               without_userinfo(connection.server)));
  const std::string scheme = part_of(url, CURLUPART_SCHEME);
  if (scheme != "https" && scheme != "http")
    throw Error(
        ErrorKind::config,
        fmt::format("Unable to connect to the server: unsupported protocol scheme \"{}\"", scheme));
  Endpoint endpoint;
  endpoint.tls = scheme == "https";
  endpoint.host = unbracketed(part_of(url, CURLUPART_HOST));
  const std::string port = part_of(url, CURLUPART_PORT);
  const std::string port_suffix = port.empty() ? "" : ":" + port;
  endpoint.authority = bracketed(endpoint.host) + port_suffix;
  std::string path = part_of(url, CURLUPART_PATH);
  while (path.ends_with('/')) path.pop_back();
  endpoint.shown_base = scheme + "://" + endpoint.authority + path;
  endpoint.base = endpoint.shown_base;
  const std::string& name = connection.tls_server_name;
  if (endpoint.tls && !name.empty() && name != endpoint.host) {
    endpoint.base = scheme + "://" + bracketed(name) + port_suffix + path;
    endpoint.connect_to =
        fmt::format("::{}:{}", bracketed(endpoint.host), port.empty() ? "443" : port);
    endpoint.host_header = endpoint.authority;
  }
  return endpoint;
}

std::string request_url(std::string_view base, std::string_view path,
                        const Connection& connection) {
  while (path.starts_with('/')) path.remove_prefix(1);
  std::string url = fmt::format("{}/{}", base, path);
  const auto limit = connection.request_timeout;
  if (limit && limit->count() > 0)
    url += (url.find('?') == std::string::npos ? "?timeout=" : "&timeout=") + go_duration(*limit);
  return url;
}

std::string go_duration(std::chrono::milliseconds duration) {
  const long long total = duration.count();
  if (total < 1000) return fmt::format("{}ms", total);
  const long long hours = total / 3'600'000;
  const long long minutes = total / 60'000 % 60;
  std::string text;
  if (hours > 0) text += fmt::format("{}h", hours);
  if (hours > 0 || minutes > 0) text += fmt::format("{}m", minutes);
  std::string fraction = fmt::format(".{:03}", total % 1000);
  while (fraction.ends_with('0')) fraction.pop_back();
  if (fraction == ".") fraction.clear();
  return text + fmt::format("{}{}s", total / 1000 % 60, fraction);
}

}  // namespace gpu::kube
