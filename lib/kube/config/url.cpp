#include "kube/config/url.hpp"

#include <algorithm>
#include <cctype>

#include "base/ascii.hpp"
#include "base/error.hpp"

namespace gpu::kube {
namespace {

/// Where the `:` after a scheme stands; 0 when there is no scheme; nothing when Go refuses.
std::optional<std::size_t> scheme_end(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_letter(c)) continue;
    if (is_digit(c) || c == '+' || c == '-' || c == '.') {
      if (i == 0) return 0;
      continue;
    }
    if (c != ':') return 0;
    return i == 0 ? std::nullopt : std::optional(i);
  }
  return 0;
}

bool is_valid_host(std::string_view host) {
  return std::none_of(host.begin(), host.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' ||
           std::string_view("\"<>\\^`{|}").find(c) != std::string_view::npos;
  });
}

/// Splits `[host][:port]`. False when Go refuses it.
bool take_host(std::string_view text, Url& url) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.rfind(']');
    if (end == std::string_view::npos) return false;
    url.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const std::size_t colon = text.rfind(':');
    url.host = text.substr(0, colon);
    if (colon != std::string_view::npos) port = text.substr(colon);
    if (url.host.find(':') != std::string::npos) return false;
  }
  if (!port.empty() && port[0] != ':') return false;
  url.port = port.empty() ? "" : std::string(port.substr(1));
  return is_valid_host(url.host) && std::all_of(url.port.begin(), url.port.end(), is_digit);
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

}  // namespace

std::string Url::authority() const {
  std::string text = host.find(':') == std::string::npos ? host : "[" + host + "]";
  if (!port.empty()) text += ":" + port;
  return text;
}

std::optional<Url> parse_url(std::string_view text) {
  if (has_control(text)) return std::nullopt;
  text = text.substr(0, text.find('#'));
  text = text.substr(0, text.find('?'));
  const std::optional<std::size_t> colon = scheme_end(text);
  if (!colon) return std::nullopt;
  Url url;
  std::string_view rest = text;
  if (*colon > 0) {
    url.scheme = lower_case(text.substr(0, *colon));
    rest = text.substr(*colon + 1);
    if (!rest.starts_with('/')) return url;  // opaque: no host
  } else if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
    return std::nullopt;  // "first path segment in URL cannot contain colon"
  }
  if (!rest.starts_with("//")) {
    url.path = rest;
    return url;
  }
  rest.remove_prefix(2);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  url.path = rest.substr(slash);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    url.userinfo = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  if (!take_host(authority, url)) return std::nullopt;
  return url;
}

std::string percent_decoded(std::string_view text) {
  const auto digit = [](char c) { return is_digit(c) ? c - '0' : lower_case(c) - 'a' + 10; };
  const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2]);
    if (!escape) {
      decoded += text[i];
      continue;
    }
    decoded += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
    i += 2;
  }
  return decoded;
}

Url server_url(std::string_view server) {
  std::optional<Url> url = parse_url(server);
  if (!url || url->scheme.empty() || url->host.empty()) {
    // kubectl decides on TLS before it looks at CA and certificate, so no scheme means http.
    url = parse_url("http://" + std::string(server));
    if (!url || url->host.empty() || (!url->path.empty() && url->path != "/"))
      throw Error(ErrorKind::config,
                  "host must be a URL or a host:port pair: \"" +
                      std::string(server.substr(server.rfind('@') + 1)) + "\"",
                  "give the server as https://host:port in the kubeconfig or with --server");
  }
  if (url->scheme != "http" && url->scheme != "https")
    throw Error(
        ErrorKind::config,
        "Unable to connect to the server: unsupported protocol scheme \"" + url->scheme + "\"",
        "the server's URL starts with https:// (or http://)");
  while (url->path.ends_with('/')) url->path.pop_back();
  return *std::move(url);
}

std::string without_userinfo(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  const std::size_t start = scheme_end == std::string_view::npos ? 0 : scheme_end + 3;
  const std::size_t end = url.find_first_of("/?#", start);
  const std::size_t at = url.substr(0, end).rfind('@');
  if (at == std::string_view::npos || at < start) return std::string(url);
  return std::string(url.substr(0, start)) + std::string(url.substr(at + 1));
}

}  // namespace gpu::kube
