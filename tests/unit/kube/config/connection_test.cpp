#include "kube/config/connection.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "base/base64.hpp"
#include "base/error.hpp"
#include "kube/config/describe.hpp"
#include "kube/folder.hpp"
#include "kube/throwaway.hpp"

namespace config_connection_test {

using namespace gpu::kube;
using gpu::encode_base64;
using gpu::test::Folder;
using gpu::test::key_pair;
using nlohmann::json;

namespace {

/// A kubeconfig of one context, and what is resolved of it.
struct Setup {
  Folder folder;
  json cluster = {{"server", "https://h:6443"}};
  json user = json::object();
  json context = {{"cluster", "c"}, {"user", "u"}};
  std::string current = "x";
  std::map<std::string, std::string, std::less<>> variables;
  ConnectionFlags flags;

  Connection resolve() {
    const json config = {{"clusters", {{{"name", "c"}, {"cluster", cluster}}}},
                         {"users", {{{"name", "u"}, {"user", user}}}},
                         {"contexts", {{{"name", "x"}, {"context", context}}}},
                         {"current-context", current}};
    if (!flags.kubeconfig) flags.kubeconfig = folder.write("config", config.dump());
    return resolve_again();
  }
  Connection resolve_again() {
    return resolve_connection(flags, {.environment = gpu::Environment(variables),
                                      .service_account_folder = folder.at("sa")});
  }
  std::string error() {
    try {
      resolve();
    } catch (const gpu::Error& error) {
      return gpu::headline(error);
    }
    return "no error";
  }
  /// Puts us in a pod without a kubeconfig.
  void enter_pod() {
    folder.write("sa/token", "podtoken\n");
    folder.write("sa/namespace", "podns\n");
    folder.write("sa/ca.crt", key_pair().certificate_pem);
    variables["KUBERNETES_SERVICE_HOST"] = "fd00::1";
    variables["KUBERNETES_SERVICE_PORT"] = "443";
    flags.kubeconfig = folder.write("empty", "");
  }
};

std::string ca_data() { return encode_base64(key_pair().certificate_pem); }

}  // namespace

TEST_CASE("an ordinary context") {
  Setup setup;
  setup.cluster = {{"server", "https://h:6443/prefix/"}, {"certificate-authority-data", ca_data()}};
  setup.user = {{"token", "t"}};
  setup.context["namespace"] = "ml";
  const Connection connection = setup.resolve();
  CHECK(connection.server == "https://h:6443/prefix");
  CHECK(connection.ca_pem == key_pair().certificate_pem);
  CHECK(connection.verify_tls);
  CHECK(connection.credentials.token == "t");
  CHECK(connection.ns == "ml");
  CHECK(connection.context == "x");
  CHECK(connection.cluster == "c");
  CHECK(connection.user == "u");
  CHECK(connection.compression);
  CHECK_FALSE(connection.request_timeout);
}

TEST_CASE("context, cluster and user by flag") {
  Setup setup;
  setup.flags.context = "y";
  CHECK(setup.error() == "Error in configuration: context was not found for specified context: y");
  setup.flags.context = "";
  setup.flags.cluster = "d";
  CHECK(setup.error() == "error: no server found for cluster \"d\"");
  setup.flags.cluster = "c";
  setup.flags.user = "v";
  CHECK(setup.error() == "error: auth info \"v\" does not exist");
  setup.flags.user = "u";
  CHECK(setup.resolve().server == "https://h:6443");
}

TEST_CASE("without a current context the only context is not used") {
  Setup setup;
  setup.current = "";
  CHECK(setup.resolve().server == "http://localhost:8080");
  setup.variables["KUBERNETES_MASTER"] = "https://master";
  CHECK(setup.resolve().server == "https://master");
  setup.current = "gone";
  setup.flags.kubeconfig.reset();
  CHECK(setup.error().ends_with("context was not found for specified context: gone"));
}

TEST_CASE("a context may name a cluster and a user that are not there") {
  Setup setup;
  setup.context = {{"cluster", "no"}, {"user", "no"}};
  CHECK(setup.resolve().server == "http://localhost:8080");
}

TEST_CASE("flags about trust replace all three fields of the file") {
  Setup setup;
  setup.cluster["certificate-authority-data"] = ca_data();
  setup.flags.insecure_skip_tls_verify = true;
  CHECK_FALSE(setup.resolve().verify_tls);
  CHECK(setup.resolve().ca_pem.empty());
  Setup other;
  other.cluster["insecure-skip-tls-verify"] = true;
  other.flags.certificate_authority = other.folder.write("ca", key_pair().certificate_pem);
  CHECK(other.resolve().verify_tls);
  CHECK(other.resolve().ca_pem == key_pair().certificate_pem);
  Setup both;
  both.cluster["certificate-authority-data"] = ca_data();
  both.cluster["insecure-skip-tls-verify"] = true;
  CHECK(both.error() ==
        "error: specifying a root certificates file with the insecure flag is not allowed");
}

TEST_CASE("--server clears the file's tls-server-name") {
  Setup setup;
  setup.cluster["tls-server-name"] = "n";
  CHECK(setup.resolve().tls_server_name == "n");
  setup.flags.server = "https://other";
  CHECK(setup.resolve().tls_server_name.empty());
  setup.flags.tls_server_name = "m";
  CHECK(setup.resolve().tls_server_name == "m");
}

TEST_CASE("CA problems") {
  Setup setup;
  setup.cluster["certificate-authority"] = "no.crt";
  CHECK(setup.error() == "error: unable to read certificate-authority " +
                             setup.folder.at("no.crt") + " for c due to open " +
                             setup.folder.at("no.crt") + ": no such file or directory");
  Setup junk;
  junk.cluster["certificate-authority-data"] = encode_base64("junk");
  CHECK(junk.error() ==
        "error: unable to load root certificates: unable to parse bytes as PEM block");
  Setup both;
  both.cluster["certificate-authority-data"] = ca_data();
  both.cluster["certificate-authority"] = both.folder.write("ca", "x");
  CHECK(both.error().find("are both specified for c") != std::string::npos);
}

TEST_CASE("nothing secret goes to an http server") {
  Setup setup;
  setup.cluster = {{"server", "http://u:p@h"}, {"certificate-authority-data", ca_data()}};
  setup.user = {{"token", "t"}, {"as", "jane"}, {"exec", json::object()}};
  setup.user.erase("exec");
  const Connection connection = setup.resolve();
  CHECK(connection.server == "http://h");
  CHECK(describe(connection)["auth"].empty());
  CHECK(connection.ca_pem.empty());
  CHECK(connection.credentials.impersonate_user == "jane");
}

TEST_CASE("one way to authenticate, in client-go's order") {
  Setup setup;
  const std::string token_file = setup.folder.write("t", " filetoken\n");
  setup.user = {{"token", "t"}, {"tokenFile", token_file}};
  const Connection connection = setup.resolve();
  CHECK(connection.credentials.token_file == token_file);
  Setup basic;
  basic.user = {{"username", "n"}, {"password", "p"}};
  CHECK(describe(basic.resolve())["auth"] == json({"basic"}));
  basic.flags.token = "t";
  CHECK(basic.error() ==
        "error: more than one authentication method found for u; found [token basicAuth], only one "
        "is allowed");
  Setup mixed;
  mixed.user = {{"username", "n"}, {"tokenFile", mixed.folder.write("t", "x")}};
  CHECK(mixed.error() == "error: username/password or bearer token may be set, but not both");
  Setup missing;
  missing.user = {{"tokenFile", "none"}};
  CHECK(missing.error() ==
        "error: open " + missing.folder.at("none") + ": no such file or directory");
  Setup url;
  url.cluster["server"] = "https://n:p%40w@h";
  CHECK(url.resolve().server == "https://h");
  CHECK(url.resolve().credentials.password == "p@w");
}

TEST_CASE("client certificates") {
  Setup setup;
  setup.user = {{"client-certificate-data", encode_base64(key_pair().certificate_pem)},
                {"client-key-data", encode_base64(key_pair().sec1_key_pem)},
                {"token", "t"}};
  CHECK(describe(setup.resolve())["auth"] == json({"token", "clientCertificate"}));
  Setup no_key;
  no_key.user = {{"client-certificate-data", encode_base64(key_pair().certificate_pem)}};
  CHECK(no_key.error() ==
        "error: client-key-data or client-key must be specified for u to use the clientCert "
        "authentication method");
  Setup by_flag;
  by_flag.user = {{"client-certificate-data", "eA=="}, {"client-key-data", "eA=="}};
  by_flag.flags.client_certificate = by_flag.folder.write("crt", key_pair().certificate_pem);
  by_flag.flags.client_key = by_flag.folder.write("key", key_pair().key_pem);
  CHECK(by_flag.resolve().credentials.client_key_pem == key_pair().key_pem);
  by_flag.flags.client_key = by_flag.folder.write("key", key_pair().encrypted_key_pem);
  CHECK(by_flag.error() == "error: tls: failed to parse private key");
}

TEST_CASE("exec runs only when nothing else is there, and gets the cluster when asked for") {
  Setup setup;
  setup.cluster = {
      {"server", "https://h"},
      {"certificate-authority", setup.folder.write("ca", key_pair().certificate_pem)},
      {"proxy-url", "socks5://p"},
      {"extensions", {{{"name", "client.authentication.k8s.io/exec"}, {"extension", {{"a", 1}}}}}}};
  setup.user["exec"] = {{"apiVersion", "client.authentication.k8s.io/v1"},
                        {"command", "cmd"},
                        {"provideClusterInfo", true},
                        {"interactiveMode", "Never"}};
  const Connection connection = setup.resolve();
  CHECK(connection.credentials.exec->cluster == json({{"server", "https://h"},
                                                      {"certificate-authority-data", ca_data()},
                                                      {"proxy-url", "socks5://p"},
                                                      {"config", {{"a", 1}}}}));
  setup.flags.token = "t";
  CHECK_FALSE(setup.resolve().credentials.exec);
}

TEST_CASE("exec entries that kubectl refuses") {
  Setup setup;
  setup.user["exec"] = {{"apiVersion", "client.authentication.k8s.io/v1"}, {"command", "x"}};
  CHECK(setup.error() ==
        "error: interactiveMode must be specified for u to use exec authentication plugin");
  Setup old;
  old.user["exec"] = {{"apiVersion", "client.authentication.k8s.io/v1alpha1"}, {"command", "x"}};
  CHECK(old.error() ==
        "error: exec plugin: invalid apiVersion \"client.authentication.k8s.io/v1alpha1\"");
  Setup empty;
  empty.user["exec"] = {{"interactiveMode", "Some"}, {"env", {{{"name", ""}}}}};
  CHECK(empty.error() ==
        "Error in configuration: command must be specified for u to use exec authentication "
        "plugin; apiVersion must be specified for u to use exec authentication plugin; env "
        "variable name must be specified for u to use exec authentication plugin; invalid "
        "interactiveMode for u: \"Some\"");
}

TEST_CASE("impersonation: flags lie over the file") {
  Setup setup;
  setup.user = {
      {"as", "jane"}, {"as-groups", {"g"}}, {"as-user-extra", {{"k", {"v"}}, {"l", {"w"}}}}};
  setup.flags.as = "joe";
  setup.flags.as_uid = "7";
  setup.flags.as_user_extra = {"k=a=b", "k=c", "novalue"};
  const Credentials credentials = setup.resolve().credentials;
  CHECK(credentials.impersonate_user == "joe");
  CHECK(credentials.impersonate_uid == "7");
  CHECK(credentials.impersonate_groups == std::vector<std::string>{"g"});
  const std::vector<std::pair<std::string, std::string>> extra = {
      {"k", "a=b"}, {"k", "c"}, {"l", "w"}};
  CHECK(credentials.impersonate_extra == extra);
  setup.flags.as_groups = {"h"};
  CHECK(setup.resolve().credentials.impersonate_groups == std::vector<std::string>{"h"});
  Setup nobody;
  nobody.flags.as_groups = {"g"};
  CHECK(nobody.error() ==
        "error: requesting uid, groups or user-extra for u without impersonating a user");
}

TEST_CASE("proxies: proxy-url ignores NO_PROXY and the environment") {
  Setup setup;
  setup.variables = {{"HTTPS_PROXY", "http://env"}, {"NO_PROXY", "none"}};
  CHECK(setup.resolve().proxy == "http://env:80");
  Setup named;
  named.variables = {{"HTTPS_PROXY", "http://env"}, {"NO_PROXY", "*"}};
  named.cluster = {{"server", "https://127.0.0.1"}, {"proxy-url", "http://u:secret@p:1"}};
  CHECK(named.resolve().proxy == "http://u:secret@p:1");
  CHECK(describe(named.resolve())["proxy"] == "http://u@p:1");
  Setup bad;
  bad.cluster["proxy-url"] = "ftp://u:secret@p";
  CHECK(bad.error() ==
        "error: invalid 'proxy-url' \"ftp://u@p\" for cluster \"c\": unsupported scheme \"ftp\", "
        "must be http, https, or socks5");
}

TEST_CASE("auth-provider entries") {
  const auto with = [](const json& provider) {
    Setup setup;
    setup.user["auth-provider"] = provider;
    return setup.error();
  };
  CHECK(with({{"name", "gcp"}}) == "error: The gcp auth plugin has been removed");
  CHECK(with({{"name", "azure"}}) == "error: The azure auth plugin has been removed");
  CHECK(with({{"name", "foo"}}) == "error: no Auth Provider found for name \"foo\"");
  CHECK(with({{"name", "oidc"}}) == "error: Must provide idp-issuer-url");
}

TEST_CASE("in a pod without a kubeconfig the service account is used") {
  Setup setup;
  setup.enter_pod();
  Connection connection = setup.resolve();
  CHECK(connection.server == "https://[fd00::1]:443");
  CHECK(connection.ca_pem == key_pair().certificate_pem);
  CHECK(connection.credentials.token_file == setup.folder.at("sa/token"));
  CHECK(connection.ns == "podns");
  setup.variables["POD_NAMESPACE"] = "envns";
  setup.variables["KUBERNETES_MASTER"] = "https://master";
  setup.flags.token = "t";
  setup.flags.as = "jane";
  setup.flags.request_timeout = "5s";
  connection = setup.resolve();
  CHECK(connection.server == "https://[fd00::1]:443");
  CHECK(connection.ns == "envns");
  CHECK(connection.credentials.token == "t");
  CHECK(connection.credentials.token_file.empty());
  CHECK(connection.credentials.impersonate_user == "jane");
  CHECK(connection.request_timeout == std::chrono::seconds(5));
  setup.flags.server = "https://named";
  CHECK(setup.resolve().server == "https://named");
  setup.flags.context = "x";
  CHECK(setup.error().starts_with("Error in configuration: context was not found"));
}

TEST_CASE("in a pod, a kubeconfig's context without a namespace gets the pod's") {
  Setup setup;
  setup.enter_pod();
  setup.flags.kubeconfig.reset();
  CHECK(setup.resolve().server == "https://h:6443");
  CHECK(setup.resolve().ns == "podns");
  setup.flags.ns = "flag";
  CHECK(setup.resolve().ns == "flag");
}

TEST_CASE("describe has facts and no secrets") {
  Setup setup;
  setup.user = {{"token", "S3CRET"}, {"as", "jane"}, {"as-user-extra", {{"k", {"S3CRET"}}}}};
  setup.cluster["certificate-authority-data"] = ca_data();
  setup.flags.request_timeout = "90";
  setup.flags.disable_compression = true;
  const json facts = describe(setup.resolve());
  CHECK(facts.dump().find("S3CRET") == std::string::npos);
  CHECK(facts["server"] == "https://h:6443");
  CHECK(facts["auth"] == json({"token"}));
  CHECK(facts["compression"] == false);
  CHECK(facts["requestTimeoutSeconds"] == 90.0);
  CHECK(facts["impersonate"]["extraKeys"] == json({"k"}));
  CHECK(facts["caSha256"].get<std::string>().size() == 64);
}

}  // namespace config_connection_test
