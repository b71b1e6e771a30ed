#include "kube/config/pem.hpp"

#include <catch2/catch.hpp>

#include "kube/throwaway.hpp"

namespace config_pem_test {

using namespace gpu::kube;
using gpu::test::key_pair;

TEST_CASE("root certificates: any number, text between them") {
  const std::string& one = key_pair().certificate_pem;
  const std::string other = gpu::test::make_key_pair().certificate_pem;
  CHECK(root_certificates_problem(one) == "");
  CHECK(root_certificates_problem("# first\n" + one + "# second\n" + other) == "");
  CHECK(root_certificates_problem("nothing") == "unable to parse bytes as PEM block");
  CHECK(root_certificates_problem(key_pair().key_pem) ==
        "no valid certificate authority data seen");
  CHECK(root_certificates_problem("-----BEGIN CERTIFICATE-----\nAAAA\n"
                                  "-----END CERTIFICATE-----\n") == "failed to parse certificate");
}

TEST_CASE("certificate and key must be a pair; PKCS#8 and SEC1 both do") {
  const auto& [certificate, key, sec1, encrypted] = key_pair();
  CHECK(key_pair_problem(certificate, key) == "");
  CHECK(key_pair_problem(certificate, sec1) == "");
  CHECK(sec1.starts_with("-----BEGIN EC PRIVATE KEY-----"));
  CHECK(key_pair_problem(certificate, gpu::test::make_key_pair().key_pem) ==
        "tls: private key does not match public key");
  CHECK(key_pair_problem("x", key) == "tls: failed to find any PEM data in certificate input");
  CHECK(key_pair_problem(certificate, "x") == "tls: failed to find any PEM data in key input");
  CHECK(key_pair_problem(certificate, encrypted) == "tls: failed to parse private key");
}

TEST_CASE("sha256_hex") {
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace config_pem_test
