#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kube/auth/credentials.hpp"
#include "kube/config/connection.hpp"
#include "kube/http/endpoint.hpp"

namespace gpu::kube {

/// One request header.
struct Header {
  std::string name;
  std::string value;
  std::string shown;  ///< `value` as -v may show it: secrets masked
};

/// Everything that a GET carries. Credentials are left out without TLS, as in client-go. Throws
/// Error{config}, in kubectl's words, when a value would break out of its header.
std::vector<Header> request_headers(const Connection& connection, const Endpoint& endpoint,
                                    const ResolvedCredentials& credentials,
                                    std::string_view user_agent);

/// Throws Error{config} unless `value` is allowed in a header.
void check_header_value(std::string_view name, std::string_view value);

/// client-go's headerKeyEscape: what is not allowed in a header's name becomes %XX.
std::string escape_header_key(std::string_view key);

}  // namespace gpu::kube
