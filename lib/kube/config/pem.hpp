#pragma once

#include <string>

namespace gpu::kube {

/// What keeps `pem` from being a set of root certificates, in Go's words; empty: nothing.
std::string root_certificates_problem(const std::string& pem);

/// Why certificate and key are not a pair, in Go's words; empty: they are. Never prompts for a
/// passphrase.
std::string key_pair_problem(const std::string& certificate_pem, const std::string& key_pem);

/// SHA-256 in lower-case hexadecimal digits.
std::string sha256_hex(const std::string& bytes);

}  // namespace gpu::kube
