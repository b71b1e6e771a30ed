#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "kube/config/kubeconfig.hpp"

namespace config_kubeconfig_decode_test {

using gpu::kube::decode_kubeconfig;
using gpu::kube::Kubeconfig;

namespace {

std::string error_of(const std::string& text) {
  try {
    decode_kubeconfig(text);
  } catch (const gpu::Error& error) {
    CHECK(error.message().find("S3CRET") == std::string::npos);
    CHECK(error.help().find("S3CRET") == std::string::npos);
    return error.message();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every field of a kubeconfig") {
  const Kubeconfig config = decode_kubeconfig(R"(
apiVersion: v1
kind: Config
current-context: x
clusters:
- name: c
  cluster:
    server: https://h
    tls-server-name: t
    certificate-authority: ca.crt
    certificate-authority-data: cGVt
    proxy-url: http://p
    insecure-skip-tls-verify: true
    disable-compression: true
    extensions:
    - {name: client.authentication.k8s.io/exec, extension: {a: 1.0}}
    - {name: other, extension: text}
users:
- name: u
  user:
    client-certificate: c.crt
    client-certificate-data: Yw==
    client-key: c.key
    client-key-data: aw==
    token: t
    tokenFile: tf
    username: bob
    password: p
    as: a
    as-uid: "7"
    as-groups: [g, h]
    as-user-extra: {k: [v, w]}
    auth-provider: {name: oidc, config: {client-id: i}}
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: cmd
      args: [a, b c]
      env: [{name: NAME, value: V}]
      installHint: hint
      provideClusterInfo: true
      interactiveMode: Never
contexts:
- {name: x, context: {cluster: c, user: u, namespace: ns}}
)");
  CHECK(config.current_context == "x");
  const gpu::kube::ClusterEntry& cluster = config.clusters.at("c");
  CHECK(cluster.server == "https://h");
  CHECK(cluster.tls_server_name == "t");
  CHECK(cluster.certificate_authority == "ca.crt");
  CHECK(cluster.certificate_authority_data == "pem");
  CHECK(cluster.proxy_url == "http://p");
  CHECK(cluster.insecure_skip_tls_verify);
  CHECK(cluster.disable_compression);
  CHECK(cluster.exec_extension.dump() == R"({"a":1})");
  const gpu::kube::UserEntry& user = config.users.at("u");
  CHECK(user.client_certificate == "c.crt");
  CHECK(user.client_certificate_data == "c");
  CHECK(user.client_key == "c.key");
  CHECK(user.client_key_data == "k");
  CHECK(user.token == "t");
  CHECK(user.token_file == "tf");
  CHECK(user.username == "bob");
  CHECK(user.password == "p");
  CHECK(user.as == "a");
  CHECK(user.as_uid == "7");
  CHECK(user.as_groups == std::vector<std::string>{"g", "h"});
  CHECK(user.as_user_extra.at("k") == std::vector<std::string>{"v", "w"});
  CHECK(user.auth_provider->config.at("client-id") == "i");
  CHECK(user.exec->args == std::vector<std::string>{"a", "b c"});
  CHECK(user.exec->env.at(0) == std::pair<std::string, std::string>("NAME", "V"));
  CHECK(user.exec->install_hint == "hint");
  CHECK(user.exec->provide_cluster_info);
  CHECK(user.exec->interactive_mode == "Never");
  CHECK(config.contexts.at("x").ns == "ns");
}

TEST_CASE("null is the same as absent, unknown fields and other cases are skipped") {
  const Kubeconfig config = decode_kubeconfig(
      "preferences: null\nextensions:\nusers:\n- {name: u, user: null}\n"
      "- {name: v, user: {token: null, Token: x, exec: {args: null, env: null}}}\n"
      "clusters:\ncontexts: null\ncurrent-context: ~\nnew: [1]\n");
  CHECK(config.users.at("u") == gpu::kube::UserEntry{});
  CHECK(config.users.at("v").token.empty());
  CHECK(config.users.at("v").exec->args.empty());
  CHECK(config.clusters.empty());
  CHECK(decode_kubeconfig("").users.empty());
}

TEST_CASE("interactiveMode has a default in the old versions only") {
  const auto mode = [](const std::string& version) {
    return decode_kubeconfig(
               "users: [{name: u, user: {exec: {apiVersion: "
               "client.authentication.k8s.io/" +
               version + "}}}]")
        .users.at("u")
        .exec->interactive_mode;
  };
  CHECK(mode("v1beta1") == "IfAvailable");
  CHECK(mode("v1") == "");
}

TEST_CASE("a value of the wrong type names line and key, never the value") {
  CHECK(error_of("users:\n- name: u\n  user:\n    token: y\n") ==
        "line 4: users[0].user.token: must be text, but is a boolean");
  CHECK(error_of("users:\n- name: u\n  user: {password: 12345}\n") ==
        "line 3: users[0].user.password: must be text, but is a number");
  CHECK(error_of("clusters:\n- cluster: {insecure-skip-tls-verify: \"true\"}\n") ==
        "line 2: clusters[0].cluster.insecure-skip-tls-verify: must be true or false, but is text");
  CHECK(error_of("users: S3CRET\n") == "line 1: users: must be a list, but is text");
  CHECK(error_of("users:\n- S3CRET\n").starts_with("line 2: users[0]: must be a map"));
  CHECK(error_of("- a\n") == "line 1: must be a map, but is a list");
  CHECK(error_of("users:\n- user: {as-user-extra: {k: v}}\n").find("must be a list") !=
        std::string::npos);
  CHECK(error_of("users:\n- user: {client-key-data: \"S3CRET!\"}\n") ==
        "line 2: users[0].user.client-key-data: illegal base64 data at input byte 6");
}

TEST_CASE("a name twice is an error that shows no entry") {
  CHECK(error_of("users:\n- {name: a, user: {token: S3CRET}}\n- {name: a}\n") ==
        "line 3: users[1]: duplicate name \"a\" in this list");
  CHECK(error_of("contexts:\n- name: a\n- name: a\n").find("duplicate") != std::string::npos);
}

TEST_CASE("other kinds and versions are refused") {
  CHECK(error_of("apiVersion: v1\nkind: Pod\n") ==
        "line 1: no kind \"Pod\" is registered for version \"v1\"");
  CHECK(error_of("apiVersion: v2\n").find("\"Config\"") != std::string::npos);
  CHECK(error_of("kind: Config\n") == "no error");
}

}  // namespace config_kubeconfig_decode_test
