#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "kube/config/connection.hpp"

namespace gpu::kube {

/// The address of requests, split into the parts that libcurl needs.
struct Endpoint {
  std::string base;         ///< scheme://host[:port][/prefix], no trailing slash
  std::string connect_to;   ///< CURLOPT_CONNECT_TO entry; empty: connect to the URL's host
  std::string host_header;  ///< empty: what the URL says
  std::string shown_base;   ///< `base` as the user knows it, without user and password
  std::string authority;    ///< host[:port], for messages
  std::string host;         ///< host alone, no brackets
  bool tls = true;
};

/// Splits the server's URL. With a tls-server-name the URL has that name, because libcurl has no
/// option for it, and connect_to has the real host. Throws Error{config}.
Endpoint endpoint_of(const Connection& connection);

/// `base` and `path` with exactly one slash between them, and kubectl's `timeout=` when there is a
/// limit.
std::string request_url(std::string_view base, std::string_view path, const Connection& connection);

/// A duration as Go prints it: "5s", "1m30s", "500ms".
std::string go_duration(std::chrono::milliseconds duration);

}  // namespace gpu::kube
