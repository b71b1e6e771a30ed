#include "kube/http/tls_error.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <openssl/x509_vfy.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/contains.hpp"
#include "kube/http/advice.hpp"

namespace gpu::kube {
namespace {

constexpr std::string_view kVerify =
    "Unable to connect to the server: tls: failed to verify certificate: x509: ";

Error unverified(std::string_view reason, std::string help) {
  return {ErrorKind::unreachable, std::string(kVerify) + std::string(reason), std::move(help)};
}

std::string tls_help(const Connection& connection, std::string_view advice) {
  return advice.empty() ? tried(connection) : tried(connection) + '\n' + std::string(advice);
}

Error wrong_name(const Connection& connection, const Endpoint& endpoint) {
  const std::string& name =
      connection.tls_server_name.empty() ? endpoint.host : connection.tls_server_name;
  return unverified(
      fmt::format("certificate is valid for other names, not {}", name),
      tls_help(connection,
               "if this address is right and its certificate is made for another name, put that "
               "name into tls-server-name of the cluster, or give --tls-server-name"));
}

Error unknown_authority(const Connection& connection) {
  const std::string first =
      connection.ca_pem.empty()
          ? "the kubeconfig names no certificate-authority for this cluster, so this machine's "
            "roots were used; give --certificate-authority FILE, or set SSL_CERT_FILE"
          : "certificate-authority of this cluster in the kubeconfig is not the one that signed "
            "the server's certificate: has the cluster been rebuilt? Fetch the kubeconfig again";
  return unverified("certificate signed by unknown authority", tls_help(connection, first));
}

Error verify_error(const TransportFailure& failure, const Connection& connection,
                   const Endpoint& endpoint) {
  switch (failure.verify) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return unverified(
          "certificate has expired or is not yet valid",
          tls_help(connection,
                   "either this machine's clock is wrong or the server's certificate has to be "
                   "renewed (kubeadm certs check-expiration); look at the clock first:\ndate"));
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    case X509_V_ERR_INVALID_CA:
      return unknown_authority(connection);
    default:
      break;
  }
  if (contains(failure.detail, "subject name") || contains(failure.detail, "subjectAltName"))
    return wrong_name(connection, endpoint);
  return unverified(failure.detail, tls_help(connection, {}));
}

/// OpenSSL's name for what the other side complained about, in Go's words.
std::string_view alert_in(std::string_view detail) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kAlerts = {{
      {"certificate required", "certificate required"},
      {"alert bad certificate", "bad certificate"},
      {"alert unknown ca", "unknown certificate authority"},
      {"alert certificate expired", "expired certificate"},
      {"alert certificate revoked", "revoked certificate"},
      {"alert certificate unknown", "unknown certificate"},
      {"alert unsupported certificate", "unsupported certificate"},
      {"alert access denied", "access denied"},
      {"alert handshake failure", "handshake failure"},
      {"alert protocol version", "protocol version not supported"},
      {"unrecognized name", "unrecognized name"},
  }};
  for (const auto& [openssl, go] : kAlerts)
    if (contains(detail, openssl)) return go;
  return {};
}

Error refused_by_server(std::string_view alert, const Connection& connection) {
  std::string first;
  if (contains(alert, "protocol version"))
    first = "TLS 1.2 is the oldest that is safe, and the server does not speak it";
  else if (contains(alert, "certif"))
    first = connection.credentials.client_certificate_pem.empty()
                ? "the server wants a client certificate, and the kubeconfig " +
                      (connection.user.empty() ? "names no user"
                                               : "gives none for user \"" + connection.user + "\"")
                : "the server does not take the client certificate of user \"" + connection.user +
                      "\": has it expired, or is it of another cluster?";
  return {ErrorKind::unreachable,
          fmt::format("Unable to connect to the server: remote error: tls: {}", alert),
          tls_help(connection, first)};
}

Error bad_client_certificate(const TransportFailure& failure, const Connection& connection) {
  const std::string_view reason = contains(failure.detail, "does not match")
                                      ? "private key does not match public key"
                                      : std::string_view(failure.detail);
  return {ErrorKind::config, fmt::format("error: tls: {}", reason),
          fmt::format("the client certificate or key of user \"{}\" in the kubeconfig cannot be "
                      "used ({})",
                      connection.user, described(connection))};
}

}  // namespace

std::optional<Error> tls_error(const TransportFailure& failure, const Connection& connection,
                               const Endpoint& endpoint) {
  switch (failure.code) {
    case CURLE_PEER_FAILED_VERIFICATION:
      return verify_error(failure, connection, endpoint);
    case CURLE_SSL_CERTPROBLEM:
      return bad_client_certificate(failure, connection);
    case CURLE_SSL_CACERT_BADFILE:
      if (connection.ca_pem.empty())
        return Error(ErrorKind::config,
                     "error: unable to load root certificates: this machine has none, and the "
                     "kubeconfig names none for this cluster",
                     "install them (ca-certificates), or give --certificate-authority FILE\n" +
                         tried(connection));
      return Error(ErrorKind::config,
                   "error: unable to load root certificates: unable to parse bytes as PEM block",
                   "look at certificate-authority(-data) of " + described(connection));
    default:
      break;
  }
  if (const std::string_view alert = alert_in(failure.detail); !alert.empty())
    return refused_by_server(alert, connection);
  if (contains(failure.detail, "wrong version number") ||
      contains(failure.detail, "packet length too long") ||
      contains(failure.detail, "record layer failure"))
    return Error(
        ErrorKind::unreachable,
        "Unable to connect to the server: tls: first record does not look like a TLS handshake",
        tls_help(connection,
                 "the server does not speak TLS on this port: is the port right, or should the "
                 "address begin with http://?"));
  return std::nullopt;
}

}  // namespace gpu::kube
