// What the API server's own answers mean. What never became an answer is the business of
// transport_error.cpp.
#include "kube/http/server_error.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "decode/objects/status.hpp"
#include "kube/config/url.hpp"
#include "kube/http/advice.hpp"

namespace gpu::kube {
namespace {

bool looks_like_html(std::string_view body) {
  const std::size_t start = body.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return start != std::string_view::npos && body[start] == '<';
}

/// The first line of a plain text answer: 429, aggregated APIs and proxies send no Status.
std::string first_line(std::string_view body) {
  const std::size_t start = body.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return {};
  body.remove_prefix(start);
  return quotation(body.substr(0, body.find_first_of("\r\n")));
}

/// client-go's reason and sentence for an answer that holds no Status (apimachinery,
/// NewGenericServerResponse).
decode::Status generic_status(int code, std::string_view body) {
  decode::Status status;
  status.code = code;
  switch (code) {
    case 400:
      status.reason = "BadRequest";
      status.message = "the server rejected our request for an unknown reason";
      break;
    case 401:
      status.reason = "Unauthorized";
      status.message = "the server has asked for the client to provide credentials";
      break;
    case 403:
      status.reason = "Forbidden";
      status.message = "the server does not allow access to this resource";
      break;
    case 404:
      status.reason = "NotFound";
      status.message = "the server could not find the requested resource";
      break;
    case 410:
      status.reason = "Expired";
      status.message = "the requested list is no longer available";
      break;
    case 429:
      status.reason = "TooManyRequests";
      status.message =
          "the server has received too many requests and has asked us to try again later";
      break;
    case 503:
      status.reason = "ServiceUnavailable";
      status.message = "the server is currently unable to handle the request";
      break;
    case 504:
      status.reason = "Timeout";
      status.message = "the server was unable to return a response in the time allotted";
      break;
    default:
      status.reason = code >= 500 ? "InternalError" : "";
      status.message = fmt::format("the server answered {}", code);
  }
  const std::string said = first_line(body);
  if (code != 401 && code != 404 && !said.empty()) status.message += ": " + said;
  return status;
}

Error html_error(int code, const Connection& connection) {
  const ErrorKind kind = code == 401   ? ErrorKind::unauthorized
                         : code == 403 ? ErrorKind::forbidden
                                       : ErrorKind::server;
  return {kind,
          fmt::format("{} answered {} with HTML, not Kubernetes: a proxy or login page?",
                      without_userinfo(connection.server), code),
          reach_help(connection)};
}

/// Of flags, or of the pod that we run in.
std::string unnamed_credentials(const Connection& connection) {
  const Credentials& sent = connection.credentials;
  if (!sent.token_file.empty()) return "the token in " + sent.token_file + ", ";
  if (!sent.token.empty()) return "the token of --token, ";
  if (!sent.username.empty()) return "--username and --password, ";
  if (!sent.client_certificate_pem.empty()) return "the certificate of --client-certificate, ";
  return "no user is configured for ";
}

Error unauthorized(const decode::Status& status, const Connection& connection) {
  std::string help = "credentials of user \"" + connection.user + "\", " + described(connection);
  // A flag is sent in place of what the user of the kubeconfig has.
  if (connection.user.empty() || connection.flags.token || connection.flags.username)
    help = unnamed_credentials(connection) + described(connection);
  return {ErrorKind::unauthorized,
          fmt::format("error: You must be logged in to the server ({})", quotation(status.message)),
          help +
              "\nthe token or certificate may have expired: log in again, then see who you are:\n"
              "kubectl auth whoami"};
}

std::string help_for(const decode::Status& status, const Connection& connection) {
  switch (status.code) {
    case 400:
      if (status.message.find("HTTP request to an HTTPS server") != std::string::npos)
        return "the server's address begins with http:// and the port speaks TLS: write https://\n"
               "tried " +
               described(connection);
      break;
    case 404:
      return "does the cluster serve this API, and is the address right? " + described(connection) +
             "\nkubectl api-resources";
    case 410:
      return "the list changed too much while it was read: run the command again";
    case 429:
      return "the API server is overloaded and asked to wait for longer than this command may; "
             "try again later\ntried " +
             described(connection);
    case 503:
    case 504:
      return "the API server or a service behind it is starting, stopping or overloaded; try "
             "again\ntried " +
             described(connection);
    default:
      break;
  }
  return "tried " + described(connection);
}

Error error_from(const decode::Status& status, const Connection& connection) {
  if (status.code == 401 || status.reason == "Unauthorized")
    return unauthorized(status, connection);
  const std::string reason = status.reason.empty() ? "" : " (" + quotation(status.reason) + ")";
  std::string message = fmt::format("Error from server{}: {}", reason, quotation(status.message));
  if (status.code == 403 || status.reason == "Forbidden")
    return {ErrorKind::forbidden, std::move(message), role_help(status.message, connection)};
  return {ErrorKind::server, std::move(message), help_for(status, connection)};
}

}  // namespace

Error error_of(const Reply& reply, const Connection& connection) {
  if (reply.error) return *reply.error;
  if (looks_like_html(reply.body)) return html_error(reply.status, connection);
  std::optional<decode::Status> status = decode::status_from_body(reply.body);
  if (status && (!status->message.empty() || !status->reason.empty())) {
    if (status->code == 0) status->code = reply.status;
    return error_from(*status, connection);
  }
  return error_from(generic_status(reply.status, reply.body), connection);
}

}  // namespace gpu::kube
