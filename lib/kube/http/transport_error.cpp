#include "kube/http/transport_error.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <cerrno>
#include <new>
#include <string_view>

#include "kube/config/url.hpp"
#include "kube/http/advice.hpp"
#include "kube/http/endpoint.hpp"
#include "kube/http/tls_error.hpp"

namespace gpu::kube {
namespace {

constexpr std::string_view kUnable = "Unable to connect to the server: ";

Error unreachable(const std::string& reason, std::string help) {
  return {ErrorKind::unreachable, std::string(kUnable) + reason, std::move(help)};
}

std::string proxy_name(const Connection& connection) {
  const std::string shown = without_userinfo(connection.proxy);
  const std::size_t scheme = shown.find("://");
  return scheme == std::string::npos ? shown : shown.substr(scheme + 3);
}

std::string reason_phrase(long status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 407:
      return "Proxy Authentication Required";
    case 429:
      return "Too Many Requests";
    case 500:
      return "Internal Server Error";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return fmt::format("the proxy answered {}", status);
  }
}

Error proxy_error(const TransportFailure& failure, const Connection& connection) {
  const std::string help = reach_help(
      connection,
      "the proxy comes from proxy-url in the kubeconfig, or from HTTPS_PROXY and NO_PROXY");
  if (failure.proxy_code >= 300) return unreachable(reason_phrase(failure.proxy_code), help);
  return unreachable(fmt::format("proxy {}: {}", proxy_name(connection), failure.detail), help);
}

Error not_connected(const TransportFailure& failure, const Connection& connection,
                    const Endpoint& endpoint) {
  if (failure.os_error == EMFILE || failure.os_error == ENFILE)
    return unreachable("socket: too many open files",
                       "raise the limit on open files (ulimit -n), or close some programs");
  const bool timed_out =
      failure.os_error == ETIMEDOUT || failure.detail.find("imeout") != std::string::npos;
  const bool refused =
      failure.os_error == ECONNREFUSED || failure.detail.find("refused") != std::string::npos;
  if (!connection.proxy.empty()) {
    const std::string_view why = refused ? "connect: connection refused" : "i/o timeout";
    const std::string reason = refused || timed_out ? std::string(why) : failure.detail;
    return unreachable(
        fmt::format("proxyconnect tcp: dial tcp {}: {}", proxy_name(connection), reason),
        reach_help(connection, "the proxy itself does not answer"));
  }
  if (timed_out)
    return unreachable(fmt::format("dial tcp {}: i/o timeout", endpoint.authority),
                       reach_help(connection));
  const std::string_view reason = failure.os_error == ENETUNREACH    ? "network is unreachable"
                                  : failure.os_error == EHOSTUNREACH ? "no route to host"
                                                                     : "";
  if (!reason.empty())
    return unreachable(fmt::format("dial tcp {}: connect: {}", endpoint.authority, reason),
                       reach_help(connection));
  return {ErrorKind::unreachable,
          fmt::format("The connection to the server {} was refused - did you specify the right "
                      "host or port?",
                      endpoint.authority),
          reach_help(connection)};
}

Error timed_out(const TransportFailure& failure, const Connection& connection,
                const Endpoint& endpoint) {
  switch (failure.phase) {
    case Phase::dialing:
      return unreachable(fmt::format("dial tcp {}: i/o timeout", endpoint.authority),
                         reach_help(connection));
    case Phase::handshaking:
      return unreachable("net/http: TLS handshake timeout", reach_help(connection));
    case Phase::waiting:
      return unreachable(
          fmt::format("net/http: request canceled (Client.Timeout exceeded while awaiting "
                      "headers): {}",
                      failure.detail),
          reach_help(connection,
                     "the server took the request and said nothing: it may be "
                     "overloaded; --request-timeout sets the limit"));
    case Phase::reading:
      break;
  }
  return unreachable(
      fmt::format("net/http: request canceled (Client.Timeout or context cancellation while "
                  "reading body): {}",
                  failure.detail),
      reach_help(connection, "the answer stopped half way; --request-timeout sets the limit"));
}

Error cut_off(const TransportFailure& failure, const Connection& connection) {
  const bool began = failure.phase == Phase::reading;
  const std::string help =
      began ? "the answer was cut off: a proxy or load balancer on the way, or a restart of the "
              "API server; try again"
            : "the connection was closed without an answer: a proxy or load balancer on the way, "
              "or a server that speaks another protocol on this port";
  return unreachable(began ? "unexpected EOF" : "EOF", reach_help(connection, help));
}

Error not_http(const TransportFailure& failure, const Connection& connection) {
  return unreachable(
      fmt::format("malformed HTTP response: {}", failure.detail),
      reach_help(connection,
                 "whatever answers there does not speak HTTP; an http:// address may need to be "
                 "https://"));
}

}  // namespace

Error transport_error(const TransportFailure& failure, const Connection& connection) {
  const Endpoint endpoint = endpoint_of(connection);
  if (failure.proxy_code >= 300) return proxy_error(failure, connection);
  if (auto error = tls_error(failure, connection, endpoint)) return *error;
  switch (failure.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return unreachable(fmt::format("dial tcp: lookup {}: no such host", endpoint.host),
                         reach_help(connection));
    case CURLE_COULDNT_RESOLVE_PROXY:
      return unreachable(fmt::format("proxyconnect tcp: dial tcp: lookup {}: no such host",
                                     proxy_name(connection)),
                         reach_help(connection));
    case CURLE_COULDNT_CONNECT:
      return not_connected(failure, connection, endpoint);
    case CURLE_PROXY:
      return proxy_error(failure, connection);
    case CURLE_OPERATION_TIMEDOUT:
      return timed_out(failure, connection, endpoint);
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
      return cut_off(failure, connection);
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return not_http(failure, connection);
    case CURLE_OUT_OF_MEMORY:  // libcurl's word for headers over 100 KB, too
      if (failure.has_body) throw std::bad_alloc();
      return unreachable("malformed HTTP response: its headers are too large",
                         reach_help(connection));
    case CURLE_BAD_CONTENT_ENCODING:
      return {ErrorKind::data,
              fmt::format("the answer of {} is not the gzip it says it is: {}", endpoint.authority,
                          failure.detail),
              "a proxy on the way may be changing it; try --disable-compression"};
    default:
      return unreachable(failure.detail, reach_help(connection));
  }
}

}  // namespace gpu::kube
