#pragma once

#include <string>

#include "base/environment.hpp"

namespace gpu::kube {

/// The roots of this machine, for clusters whose kubeconfig names none.
struct SystemRoots {
  std::string file;    ///< a bundle; empty: none found
  std::string folder;  ///< OpenSSL's hashed folder; empty: none
  std::string pem;     ///< certificates gathered from SSL_CERT_DIR; wins over both
};

/// Go's rules: SSL_CERT_FILE and SSL_CERT_DIR (folders, `:` between them) replace the default
/// places, which are those of Debian, Fedora, SUSE, Alpine, macOS and the BSDs.
SystemRoots system_roots(const Environment& environment);

}  // namespace gpu::kube
