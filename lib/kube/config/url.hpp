#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpu::kube {

/// The parts of a URL that matter to a connection, split as Go's net/url does.
struct Url {
  std::string scheme;    ///< lower case; may be empty
  std::string userinfo;  ///< as written, percent-encoded, without the `@`
  std::string host;      ///< without brackets; may be empty
  std::string port;      ///< digits, or empty
  std::string path;      ///< as written, without query and fragment

  /// host[:port], an IPv6 address in brackets.
  [[nodiscard]] std::string authority() const;
};

/// Nothing for text that Go's url.Parse refuses.
std::optional<Url> parse_url(std::string_view text);

/// `text` with every %XX turned into its byte.
std::string percent_decoded(std::string_view text);

/// The URL of the API server `server`: without a scheme it is http, as in kubectl; no trailing
/// slash in the path. Throws Error{config}.
Url server_url(std::string_view server);

/// `url` without user name and password: what may be shown.
std::string without_userinfo(std::string_view url);

}  // namespace gpu::kube
