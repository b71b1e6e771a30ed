#include "kube/auth/credentials.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "kube/folder.hpp"

namespace auth_credentials_test {

using namespace gpu::kube;
using gpu::Environment;
using gpu::test::Folder;

namespace {

/// A plugin that answers token-1, token-2, ... and counts its runs in a file.
Credentials counting_plugin(const Folder& folder, const std::string& more_status = "") {
  ExecPlugin plugin;
  plugin.api_version = "client.authentication.k8s.io/v1";
  plugin.interactive_mode = "Never";
  plugin.command = folder.write_program("plug", R"(#!/bin/sh
echo x >> ")" + folder.at("runs") + R"("
n=$(grep -c x ")" + folder.at("runs") + R"(")
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)" +
                                                    more_status +
                                                    R"("token":"token-'$n'"}}'
)");
  Credentials credentials;
  credentials.exec = plugin;
  return credentials;
}

Environment environment() {
  std::map<std::string, std::string, std::less<>> variables;
  variables["PATH"] = "/usr/bin:/bin";
  return Environment(variables);
}

}  // namespace

TEST_CASE("a token, a password, nothing") {
  Credentials credentials;
  CHECK(CredentialSource(credentials, {}).get().authorization == "");
  credentials.username = "joe";
  credentials.password = "p:w";
  CHECK(CredentialSource(credentials, {}).get().authorization == "Basic am9lOnA6dw==");
  credentials.token = "t";
  credentials.client_certificate_pem = "c";
  credentials.client_key_pem = "k";
  CredentialSource source(credentials, {});
  CHECK(source.get().authorization == "Bearer t");
  CHECK(source.get().client_certificate_pem == "c");
  CHECK(source.get().client_key_pem == "k");
  CHECK_FALSE(source.refresh());
}

TEST_CASE("a token file wins over the token, is trimmed, and is read again after a 401") {
  const Folder folder;
  Credentials credentials;
  credentials.token = "inline";
  credentials.token_file = folder.write("t", " one\n");
  CredentialSource source(credentials, {});
  CHECK(source.get().authorization == "Bearer one");
  CHECK_FALSE(source.refresh());
  folder.write("t", "two\n");
  CHECK(source.get().authorization == "Bearer one");
  CHECK(source.refresh());
  CHECK(source.get().authorization == "Bearer two");
  std::filesystem::remove(folder.at("t"));
  CHECK_FALSE(source.refresh());
  CHECK(source.get().authorization == "Bearer two");
}

TEST_CASE("a token file that gives nothing leaves the token, or is an error") {
  const Folder folder;
  Credentials credentials;
  credentials.token_file = folder.at("none");
  const auto error = [&] {
    try {
      return CredentialSource(credentials, {}).get().authorization;
    } catch (const gpu::Error& problem) {
      return problem.message();
    }
  };
  CHECK(error() == "failed to read token file \"" + folder.at("none") + "\": open " +
                       folder.at("none") + ": no such file or directory");
  credentials.token_file = folder.write("empty", "\n");
  CHECK(error() == "read empty token from file \"" + folder.at("empty") + "\"");
  credentials.token = "inline";
  CHECK(error() == "Bearer inline");
}

TEST_CASE("a plugin runs once, and once more after a 401") {
  const Folder folder;
  CredentialSource source(counting_plugin(folder), environment());
  CHECK_FALSE(source.refresh());
  CHECK(source.get().authorization == "Bearer token-1");
  CHECK(source.get().authorization == "Bearer token-1");
  CHECK(source.refresh());
  CHECK(source.get().authorization == "Bearer token-2");
  CHECK_FALSE(source.refresh());
  CHECK(source.get().authorization == "Bearer token-2");
}

TEST_CASE("a token that comes expired does not make the plugin run for every request") {
  const Folder folder;
  CredentialSource source(
      counting_plugin(folder, R"("expirationTimestamp":"2001-01-01T00:00:00Z",)"), environment());
  CHECK(source.get().authorization == "Bearer token-1");
  CHECK(source.get().authorization == "Bearer token-1");
}

TEST_CASE("a token or a password keeps a plugin from running") {
  const Folder folder;
  Credentials credentials = counting_plugin(folder);
  credentials.token = "t";
  CHECK(CredentialSource(credentials, environment()).get().authorization == "Bearer t");
  CHECK_FALSE(std::filesystem::exists(folder.at("runs")));
}

}  // namespace auth_credentials_test
