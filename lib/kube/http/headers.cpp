#include "kube/http/headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"

namespace gpu::kube {
namespace {

bool is_token_byte(char c) {
  static constexpr std::string_view kPunctuation = "!#$&'*+-.^_`|~";  // RFC 7230, without %
  return is_digit(c) || is_letter(c) || kPunctuation.find(c) != std::string_view::npos;
}

/// "Bearer <masked>": the scheme helps whoever reads a log, the rest is the secret.
std::string masked(std::string_view authorization) {
  const std::size_t space = authorization.find(' ');
  if (space == std::string_view::npos) return "<masked>";
  return std::string(authorization.substr(0, space)) + " <masked>";
}

class HeaderList {
 public:
  void add(std::string name, const std::string& value) { add(std::move(name), value, value); }
  void add(std::string name, const std::string& value, std::string shown) {
    check_header_value(name, value);
    headers_.push_back({std::move(name), value, std::move(shown)});
  }
  std::vector<Header> take() { return std::move(headers_); }

 private:
  std::vector<Header> headers_;
};

void add_impersonation(HeaderList& list, const Credentials& credentials) {
  if (!credentials.impersonate_user.empty())
    list.add("Impersonate-User", credentials.impersonate_user);
  if (!credentials.impersonate_uid.empty())
    list.add("Impersonate-Uid", credentials.impersonate_uid);
  for (const std::string& group : credentials.impersonate_groups)
    list.add("Impersonate-Group", group);
  // Extra values are free text, scopes of a token for example: not for a log.
  for (const auto& [key, value] : credentials.impersonate_extra)
    list.add("Impersonate-Extra-" + escape_header_key(key), value, "<masked>");
}

}  // namespace

void check_header_value(std::string_view name, std::string_view value) {
  const bool valid = std::none_of(value.begin(), value.end(), [](unsigned char byte) {
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
  });
  if (valid) return;
  throw Error(ErrorKind::config,
              fmt::format("Unable to connect to the server: net/http: invalid header field value "
                          "for \"{}\"",
                          name),
              "The value holds a line break or another control character. A token read from a "
              "file or a variable often ends in a newline.");
}

std::string escape_header_key(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    if (is_token_byte(c))
      escaped += c;
    else
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return escaped;
}

std::vector<Header> request_headers(const Connection& connection, const Endpoint& endpoint,
                                    const ResolvedCredentials& credentials,
                                    std::string_view user_agent) {
  HeaderList list;
  if (!endpoint.host_header.empty()) list.add("Host", endpoint.host_header);
  list.add("User-Agent", std::string(user_agent));
  if (endpoint.tls && !credentials.authorization.empty())
    list.add("Authorization", credentials.authorization, masked(credentials.authorization));
  // client-go sets these with and without TLS (clientcmd, ClientConfig).
  add_impersonation(list, connection.credentials);
  return list.take();
}

}  // namespace gpu::kube
