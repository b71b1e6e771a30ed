#include "kube/http/transport_error.hpp"

#include <curl/curl.h>
#include <openssl/x509_vfy.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <new>

namespace http_transport_error_test {

using Catch::Contains;
using Catch::StartsWith;
using gpu::Error;
using gpu::ErrorKind;
using gpu::kube::Phase;
using gpu::kube::transport_error;
using gpu::kube::TransportFailure;

namespace {

gpu::kube::Connection lab() {
  gpu::kube::Connection connection;
  connection.server = "https://api.lab:6443";
  connection.context = "lab";
  connection.user = "alice";
  return connection;
}

Error of(int code, std::string detail = "detail", Phase phase = Phase::dialing, long verify = 0) {
  TransportFailure failure;
  failure.code = code;
  failure.detail = std::move(detail);
  failure.phase = phase;
  failure.verify = verify;
  return transport_error(failure, lab());
}

const std::string kUnable = "Unable to connect to the server: ";
const std::string kVerify = kUnable + "tls: failed to verify certificate: x509: ";

}  // namespace

TEST_CASE("no connection") {
  TransportFailure refused;
  refused.code = CURLE_COULDNT_CONNECT;
  refused.os_error = ECONNREFUSED;
  const Error error = transport_error(refused, lab());
  CHECK(error.kind() == ErrorKind::unreachable);
  CHECK(error.message() ==
        "The connection to the server api.lab:6443 was refused - did you specify the right host or "
        "port?");
  CHECK_THAT(error.help(), Contains("context \"lab\"") && Contains("https://api.lab:6443") &&
                               Contains("VPN") && Contains("\nkubectl config get-contexts"));
  refused.os_error = EHOSTUNREACH;
  CHECK(transport_error(refused, lab()).message() ==
        kUnable + "dial tcp api.lab:6443: connect: no route to host");
  CHECK(of(CURLE_COULDNT_RESOLVE_HOST).message() ==
        kUnable + "dial tcp: lookup api.lab: no such host");
}

TEST_CASE("no descriptor for a socket is not the server's refusal") {
  TransportFailure failure;
  failure.code = CURLE_COULDNT_CONNECT;
  failure.os_error = EMFILE;
  CHECK(transport_error(failure, lab()).message() == kUnable + "socket: too many open files");
  CHECK_THAT(transport_error(failure, lab()).help(), Contains("ulimit -n"));
}

TEST_CASE("memory that runs out within an answer is not the fault of its headers") {
  TransportFailure failure;
  failure.code = CURLE_OUT_OF_MEMORY;
  CHECK_THAT(transport_error(failure, lab()).message(), Contains("headers are too large"));
  failure.has_body = true;
  CHECK_THROWS_AS(transport_error(failure, lab()), std::bad_alloc);
}

TEST_CASE("a machine without certificates is not told of a PEM block") {
  CHECK_THAT(of(CURLE_SSL_CACERT_BADFILE).message(), Contains("this machine has none"));
}

TEST_CASE("a timeout says how far the request had come") {
  CHECK(of(CURLE_OPERATION_TIMEDOUT).message() == kUnable + "dial tcp api.lab:6443: i/o timeout");
  CHECK(of(CURLE_OPERATION_TIMEDOUT, "", Phase::handshaking).message() ==
        kUnable + "net/http: TLS handshake timeout");
  CHECK_THAT(of(CURLE_OPERATION_TIMEDOUT, "", Phase::waiting).message(),
             StartsWith(kUnable + "net/http: request canceled (Client.Timeout exceeded while "
                                  "awaiting headers)"));
  CHECK_THAT(of(CURLE_OPERATION_TIMEDOUT, "", Phase::reading).message(),
             Contains("while reading body"));
}

TEST_CASE("a connection that ends early") {
  CHECK(of(CURLE_GOT_NOTHING, "", Phase::waiting).message() == kUnable + "EOF");
  CHECK(of(CURLE_PARTIAL_FILE, "", Phase::reading).message() == kUnable + "unexpected EOF");
  CHECK(of(CURLE_RECV_ERROR, "", Phase::reading).message() == kUnable + "unexpected EOF");
}

TEST_CASE("certificates of the server") {
  const auto verify = [](long reason) {
    return of(CURLE_PEER_FAILED_VERIFICATION, "detail", Phase::handshaking, reason);
  };
  CHECK(verify(X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN).message() ==
        kVerify + "certificate signed by unknown authority");
  CHECK(verify(X509_V_ERR_CERT_HAS_EXPIRED).message() ==
        kVerify + "certificate has expired or is not yet valid");
  CHECK_THAT(verify(X509_V_ERR_CERT_HAS_EXPIRED).help(), Contains("\ndate"));
  const Error name = of(CURLE_PEER_FAILED_VERIFICATION,
                        "SSL: no alternative certificate subject name matches target host name");
  CHECK(name.message() == kVerify + "certificate is valid for other names, not api.lab");
  CHECK_THAT(name.help(), Contains("--tls-server-name"));
}

TEST_CASE("the help for an unknown authority depends on whose roots were used") {
  TransportFailure failure;
  failure.code = CURLE_PEER_FAILED_VERIFICATION;
  failure.verify = X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY;
  CHECK_THAT(transport_error(failure, lab()).help(), Contains("SSL_CERT_FILE"));
  auto connection = lab();
  connection.ca_pem = "pem";
  CHECK_THAT(transport_error(failure, connection).help(), !Contains("SSL_CERT_FILE"));
}

TEST_CASE("certificates of the client") {
  CHECK(of(CURLE_RECV_ERROR, "OpenSSL SSL_read: tlsv13 alert certificate required").message() ==
        kUnable + "remote error: tls: certificate required");
  CHECK(of(CURLE_SSL_CONNECT_ERROR, "sslv3 alert certificate expired").message() ==
        kUnable + "remote error: tls: expired certificate");
  const Error mismatch = of(CURLE_SSL_CERTPROBLEM, "Private key does not match the certificate");
  CHECK(mismatch.kind() == ErrorKind::config);
  CHECK(mismatch.message() == "error: tls: private key does not match public key");
}

TEST_CASE("TLS where there is none, and none where there is TLS") {
  CHECK(
      of(CURLE_SSL_CONNECT_ERROR, "error:0A00010B:SSL routines::wrong version number").message() ==
      kUnable + "tls: first record does not look like a TLS handshake");
  CHECK_THAT(of(CURLE_UNSUPPORTED_PROTOCOL, "Received HTTP/0.9 when not allowed").message(),
             StartsWith(kUnable + "malformed HTTP response"));
}

TEST_CASE("a proxy that refuses, and its password") {
  auto connection = lab();
  connection.proxy = "http://joe:secret@proxy:3128";
  TransportFailure failure;
  failure.code = CURLE_RECV_ERROR;
  failure.proxy_code = 502;
  CHECK(transport_error(failure, connection).message() == kUnable + "Bad Gateway");
  failure.proxy_code = 407;
  CHECK(transport_error(failure, connection).message() ==
        kUnable + "Proxy Authentication Required");
  failure.proxy_code = 0;
  for (const int code : {CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY}) {
    failure.code = code;
    failure.os_error = ECONNREFUSED;
    const Error error = transport_error(failure, connection);
    CHECK_THAT(error.message(), StartsWith(kUnable) && Contains("proxy:3128"));
    CHECK_THAT(error.message() + error.help(), !Contains("secret"));
  }
}

}  // namespace http_transport_error_test
