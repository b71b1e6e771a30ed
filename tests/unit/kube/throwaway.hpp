#pragma once

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <string>

namespace gpu::test {

/// A self-signed certificate and its key, made for one test run.
struct KeyPair {
  std::string certificate_pem;
  std::string key_pem;            ///< PKCS#8
  std::string sec1_key_pem;       ///< BEGIN EC PRIVATE KEY
  std::string encrypted_key_pem;  ///< with a passphrase
};

inline std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(memory);
  return text;
}

inline KeyPair make_key_pair() {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_sign(certificate, key, EVP_sha256());
  KeyPair pair;
  BIO* out = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(out, certificate);
  pair.certificate_pem = text_of(out);
  out = BIO_new(BIO_s_mem());
  PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
  pair.key_pem = text_of(out);
  out = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey_traditional(out, key, nullptr, nullptr, 0, nullptr, nullptr);
  pair.sec1_key_pem = text_of(out);
  out = BIO_new(BIO_s_mem());
  PEM_write_bio_PKCS8PrivateKey(out, key, EVP_aes_128_cbc(), "secret", 6, nullptr, nullptr);
  pair.encrypted_key_pem = text_of(out);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return pair;
}

/// One pair for all tests that need only some pair.
inline const KeyPair& key_pair() {
  static const KeyPair pair = make_key_pair();
  return pair;
}

}  // namespace gpu::test
