#include "kube/auth/exec_plugin.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "kube/folder.hpp"
#include "kube/throwaway.hpp"

namespace auth_exec_plugin_test {

using namespace gpu::kube;
using gpu::Environment;
using gpu::test::Folder;
using gpu::test::key_pair;
using nlohmann::json;

namespace {

constexpr const char* kV1 = "client.authentication.k8s.io/v1";
const std::string kOpening = "Unable to connect to the server: getting credentials: ";

std::string answer(const json& status, const std::string& version = kV1) {
  return json({{"kind", "ExecCredential"}, {"apiVersion", version}, {"status", status}}).dump();
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const gpu::Error& error) {
    CHECK(error.kind() == gpu::ErrorKind::config);
    CHECK(error.message().starts_with(kOpening));
    CHECK((error.message() + error.help()).find("S3CRET") == std::string::npos);
    return error.message().substr(kOpening.size());
  }
  return "no error";
}

std::string decode_error(const std::string& output) {
  return error_of([&] { decode_exec_credential(output, kV1); });
}

ExecPlugin plugin_of(const std::string& command) {
  ExecPlugin plugin;
  plugin.api_version = kV1;
  plugin.command = command;
  plugin.interactive_mode = "Never";
  return plugin;
}

Environment with_path(const std::string& path) {
  std::map<std::string, std::string, std::less<>> variables;
  variables["PATH"] = path;
  return Environment(variables);
}

}  // namespace

TEST_CASE("KUBERNETES_EXEC_INFO") {
  ExecPlugin plugin = plugin_of("x");
  plugin.cluster = {{"server", "https://h"}};
  CHECK(
      json::parse(exec_info(plugin, Interaction::none)) ==
      json({{"kind", "ExecCredential"}, {"apiVersion", kV1}, {"spec", {{"interactive", false}}}}));
  plugin.provide_cluster_info = true;
  const json info = json::parse(exec_info(plugin, Interaction::possible));
  CHECK(info["spec"]["interactive"] == true);
  CHECK(info["spec"]["cluster"]["server"] == "https://h");
}

TEST_CASE("answers in JSON and in YAML") {
  const PluginAnswer got = decode_exec_credential(
      answer({{"token", "t"}, {"expirationTimestamp", "2099-01-01T00:00:00Z"}}), kV1);
  CHECK(got.token == "t");
  CHECK(got.expires == gpu::parse_time("2099-01-01T00:00:00Z"));
  CHECK(decode_exec_credential(
            "kind: ExecCredential\napiVersion: " + std::string(kV1) + "\nstatus:\n  token: yaml\n",
            kV1)
            .token == "yaml");
  const PluginAnswer pair =
      decode_exec_credential(answer({{"clientCertificateData", key_pair().certificate_pem},
                                     {"clientKeyData", key_pair().key_pem},
                                     {"token", nullptr}}),
                             kV1);
  CHECK(pair.client_key_pem == key_pair().key_pem);
}

TEST_CASE("answers that kubectl refuses") {
  CHECK(decode_error("").starts_with("decoding stdout: couldn't get version/kind"));
  CHECK(decode_error("S3CRET " + answer({{"token", "S3CRET"}}))
            .starts_with("decoding stdout: couldn't get version/kind"));
  CHECK(decode_error(answer({{"token", "S3CRET"}}) + "S3CRET")
            .starts_with("decoding stdout: couldn't get version/kind"));
  CHECK(decode_error("{}") == "decoding stdout: Object 'Kind' is missing");
  CHECK(decode_error(answer({{"token", "S3CRET"}}, "client.authentication.k8s.io/v1beta1")) ==
        "exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin "
        "returned version client.authentication.k8s.io/v1beta1");
  CHECK(decode_error(answer({{"token", "S3CRET"}}, "v1")).find("no kind") != std::string::npos);
  CHECK(decode_error(answer(nullptr)) == "exec plugin didn't return a status field");
  CHECK(decode_error(answer({{"token", ""}})) ==
        "exec plugin didn't return a token or cert/key pair");
  CHECK(decode_error(answer({{"clientKeyData", "S3CRET"}})) ==
        "exec plugin returned only certificate or key, not both");
  CHECK(decode_error(answer({{"clientKeyData", "S3CRET"}, {"clientCertificateData", "x"}}))
            .starts_with("failed parsing client key/certificate: "));
  CHECK(decode_error(answer({{"token", 5}})) == "decoding stdout: status.token must be text");
  CHECK(decode_error(answer({{"token", "S3CRET"}, {"expirationTimestamp", "soon"}})) ==
        "decoding stdout: status.expirationTimestamp is no RFC 3339 time");
}

TEST_CASE("a plugin gets its arguments, its environment and no standard input") {
  const Folder folder;
  ExecPlugin plugin = plugin_of(folder.write_program("plug", R"(#!/bin/sh
input=$(cat)
info=$(printf %s "$KUBERNETES_EXEC_INFO" | grep -c '"interactive":false')
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}' \
  "$#-$1-$2-$OURS-$BOTH-$input-$info"
)"));
  plugin.args = {"two words", "$(id)"};
  plugin.env = {{"BOTH", "plugin"}};
  std::map<std::string, std::string, std::less<>> variables;
  variables["PATH"] = "/usr/bin:/bin";
  variables["OURS"] = "ours";
  variables["BOTH"] = "ours";
  CHECK(run_exec_plugin(plugin, Environment(variables)).token ==
        "2-two words-$(id)-ours-plugin--1");
}

TEST_CASE("a bare command is found in PATH, but not in the working directory") {
  const Folder folder;
  folder.write_program("plug", "#!/bin/sh\necho '" + answer({{"token", "found"}}) + "'\n");
  folder.write("data", "not executable");
  const auto run = [&](const std::string& command, const std::string& path) {
    ExecPlugin plugin = plugin_of(command);
    plugin.install_hint = "get it\nhere \x1b[1m";
    return run_exec_plugin(plugin, with_path(path)).token;
  };
  CHECK(run("plug", "/nowhere:" + folder.path()) == "found");
  for (const std::string& path : {std::string("."), std::string(""), std::string("/nowhere")})
    CHECK(error_of([&] { run("plug", path); }) == "exec: executable plug not found");
  CHECK(error_of([&] { run("data", folder.path()); }) == "exec: executable data not found");
  try {
    run("plug", "");
  } catch (const gpu::Error& error) {
    CHECK(error.help().find("credential plugin that is not installed") != std::string::npos);
    CHECK(error.help().find("\nget it\nhere ") != std::string::npos);
    CHECK(error.help().find('\x1b') == std::string::npos);
  }
}

TEST_CASE("plugins that fail") {
  const Folder folder;
  const auto run = [&](const std::string& command) {
    return error_of([&] { run_exec_plugin(plugin_of(command), with_path("/usr/bin:/bin")); });
  };
  const std::string none = folder.at("none");
  CHECK(run(none) == "exec: fork/exec " + none + ": no such file or directory");
  const std::string failing = folder.write_program("f", "#!/bin/sh\necho S3CRET; exit 3\n");
  CHECK(run(failing) == "exec: executable " + failing + " failed with exit code 3");
  const std::string killed = folder.write_program("k", "#!/bin/sh\nkill -9 $$\n");
  CHECK(run(killed) == "exec: executable " + killed + " failed with exit code -1");
  const std::string loud = folder.write_program("l", "#!/bin/sh\nexec cat /dev/zero\n");
  CHECK(run(loud) == "exec: executable " + loud + " printed more than 1 MiB");
}

}  // namespace auth_exec_plugin_test
