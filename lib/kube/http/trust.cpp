#include "kube/http/trust.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace gpu::kube {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 7> kBundles = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/pki/tls/cacert.pem",                            // old RHEL
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS, RHEL 7
    "/etc/ssl/cert.pem",                                  // Alpine, macOS, BSD
    "/usr/local/share/certs/ca-root-nss.crt",             // FreeBSD
};
constexpr std::array<const char*, 2> kFolders = {"/etc/ssl/certs", "/etc/pki/tls/certs"};
constexpr std::uintmax_t kLargestCertificateFile = 4U << 20U;

void append_file(std::string& pem, const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) > kLargestCertificateFile)
    return;
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  // Only PEM: OpenSSL would refuse the whole blob for one stray README.
  if (text.str().find("-----BEGIN CERTIFICATE-----") == std::string::npos) return;
  pem += text.str() + "\n";
}

/// Every certificate of the folders, whatever the file names: Go does not need OpenSSL's hashes.
std::string certificates_in(std::string_view folders) {
  std::string pem;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    const fs::path folder = std::string(folders.substr(0, colon));
    folders = colon == std::string_view::npos ? "" : folders.substr(colon + 1);
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed))
      append_file(pem, entry->path());
  }
  return pem;
}

}  // namespace

SystemRoots system_roots(const Environment& environment) {
  SystemRoots roots;
  const std::string own_file = environment.get_or_empty("SSL_CERT_FILE");
  const std::string own_folders = environment.get_or_empty("SSL_CERT_DIR");
  std::error_code failed;
  if (!own_file.empty()) {
    roots.file = own_file;
  } else {
    for (const char* bundle : kBundles) {
      if (!fs::is_regular_file(bundle, failed)) continue;
      roots.file = bundle;
      break;
    }
  }
  if (!own_folders.empty()) {
    roots.pem = certificates_in(own_folders);
    if (!roots.pem.empty() && !roots.file.empty()) append_file(roots.pem, roots.file);
  } else if (roots.file.empty()) {
    for (const char* folder : kFolders) {
      if (!fs::is_directory(folder, failed)) continue;
      roots.folder = folder;
      break;
    }
  }
  return roots;
}

}  // namespace gpu::kube
