#include "kube/config/pem.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gpu::kube {
namespace {

template <auto Free>
struct Deleter {
  template <class Type>
  void operator()(Type* pointer) const {
    Free(pointer);
  }
};

using Bio = std::unique_ptr<BIO, Deleter<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;

Bio memory_of(const std::string& bytes) {
  return Bio(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

struct PemBlock {
  std::string type;
  std::string header;
  std::string bytes;
};

std::optional<PemBlock> next_block(BIO* input) {
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  long length = 0;
  const int found = PEM_read_bio(input, &name, &header, &data, &length);
  ERR_clear_error();
  if (found != 1) return std::nullopt;
  PemBlock block{
      name, header,
      std::string(reinterpret_cast<const char*>(data), static_cast<std::size_t>(length))};
  OPENSSL_free(name);
  OPENSSL_free(header);
  OPENSSL_clear_free(data, static_cast<std::size_t>(length));
  return block;
}

std::vector<PemBlock> blocks_of(const std::string& pem) {
  const Bio input = memory_of(pem);
  std::vector<PemBlock> blocks;
  while (true) {
    std::optional<PemBlock> block = next_block(input.get());
    if (!block) return blocks;
    blocks.push_back(std::move(*block));
  }
}

Certificate parse_certificate(const std::string& der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  Certificate certificate(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
  ERR_clear_error();
  return certificate;
}

/// The first certificate of a text, and why there is none.
std::pair<Certificate, std::string> first_certificate(const std::string& pem) {
  for (const PemBlock& block : blocks_of(pem)) {
    if (block.type != "CERTIFICATE") continue;
    Certificate certificate = parse_certificate(block.bytes);
    std::string problem = certificate ? "" : "tls: failed to parse certificate";
    return {std::move(certificate), std::move(problem)};
  }
  return {nullptr, "tls: failed to find any PEM data in certificate input"};
}

/// OpenSSL asks the terminal when it is given no callback.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*context*/) { return 0; }

}  // namespace

std::string root_certificates_problem(const std::string& pem) {
  const std::vector<PemBlock> blocks = blocks_of(pem);
  bool any_broken = false;
  for (const PemBlock& block : blocks) {
    if (block.type != "CERTIFICATE" || !block.header.empty()) continue;
    if (parse_certificate(block.bytes)) return {};
    any_broken = true;
  }
  if (any_broken) return "failed to parse certificate";
  return blocks.empty() ? "unable to parse bytes as PEM block"
                        : "no valid certificate authority data seen";
}

std::string key_pair_problem(const std::string& certificate_pem, const std::string& key_pem) {
  const auto [certificate, problem] = first_certificate(certificate_pem);
  if (!certificate) return problem;
  if (key_pem.find("PRIVATE KEY-----") == std::string::npos)
    return "tls: failed to find any PEM data in key input";
  const Bio input = memory_of(key_pem);
  const Key key(PEM_read_bio_PrivateKey(input.get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  if (!key) return "tls: failed to parse private key";
  const int matches = X509_check_private_key(certificate.get(), key.get());
  ERR_clear_error();
  return matches == 1 ? "" : "tls: private key does not match public key";
}

std::string sha256_hex(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string text;
  for (unsigned int i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace gpu::kube
