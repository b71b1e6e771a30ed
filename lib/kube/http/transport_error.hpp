#pragma once

#include <chrono>
#include <string>

#include "base/error.hpp"
#include "kube/config/connection.hpp"

namespace gpu::kube {

/// How far a request had come when it failed.
enum class Phase { dialing, handshaking, waiting, reading };

/// What libcurl knows about a failure, in plain values.
struct TransportFailure {
  int code = 0;         ///< a CURLcode
  std::string detail;   ///< libcurl's own sentence
  long verify = 0;      ///< OpenSSL's X509_V_ERR_..., 0 when the certificate was not the reason
  long os_error = 0;    ///< errno of connect()
  long proxy_code = 0;  ///< HTTP status of CONNECT
  Phase phase = Phase::dialing;
  bool has_body = false;  ///< bytes of the answer itself had come
};

/// The error for a request that got no (whole) answer: kubectl's first words, then what to do.
Error transport_error(const TransportFailure& failure, const Connection& connection);

}  // namespace gpu::kube
