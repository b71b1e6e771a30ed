#include "kube/config/kubeconfig.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "base/error.hpp"
#include "kube/folder.hpp"

namespace config_kubeconfig_test {

using gpu::Environment;
using gpu::kube::Kubeconfig;
using gpu::kube::load_kubeconfig;
using gpu::test::Folder;

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

Kubeconfig load(const std::string& list) {
  Variables variables;
  variables["KUBECONFIG"] = list;
  return load_kubeconfig(std::nullopt, Environment(variables));
}

std::string error_of(const std::string& path) {
  try {
    load_kubeconfig(path, Environment());
  } catch (const gpu::Error& error) {
    CHECK(error.kind() == gpu::ErrorKind::config);
    return error.message();
  }
  return "no error";
}

}  // namespace

TEST_CASE("an explicit file is read alone, and must be there") {
  const Folder folder;
  const std::string file = folder.write("a", "users: [{name: u}]");
  CHECK(load_kubeconfig(file, Environment(Variables{{"KUBECONFIG", folder.at("b")}}))
            .users.contains("u"));
  CHECK(error_of(folder.at("none")) == "stat " + folder.at("none") + ": no such file or directory");
  CHECK(error_of(folder.path()) == "error loading config file \"" + folder.path() + "\": read " +
                                       folder.path() + ": is a directory");
  CHECK(error_of(file + "/x").find("not a directory") != std::string::npos);
}

TEST_CASE("KUBECONFIG lists files: missing, empty and double ones are skipped") {
  const Folder folder;
  const std::string first = folder.write("1", "current-context: one");
  const std::string empty = folder.write("2", "");
  const std::string list = folder.at("none") + "::" + first + ":" + first + ":" + empty + ":";
  CHECK(load(list).current_context == "one");
  CHECK(load(folder.at("none")).current_context.empty());
  CHECK(load(":").current_context.empty());
}

TEST_CASE("without KUBECONFIG it is ~/.kube/config") {
  const Folder folder;
  folder.write(".kube/config", "current-context: home");
  const auto with = [&](const char* kubeconfig) {
    return load_kubeconfig(
        std::nullopt, Environment(Variables{{"HOME", folder.path()}, {"KUBECONFIG", kubeconfig}}));
  };
  CHECK(with("").current_context == "home");
  CHECK(with("/nowhere").current_context.empty());
  CHECK(load_kubeconfig("", Environment(Variables{{"HOME", folder.path()}})).current_context ==
        "home");
}

TEST_CASE("the first file that defines a name wins, entry by entry") {
  const Folder folder;
  const std::string first = folder.write(
      "1", "users: [{name: u, user: {token: first}}]\ncontexts: [{name: a, context: {user: x}}]");
  const std::string second = folder.write(
      "2",
      "current-context: a\nusers: [{name: u, user: {token: second, client-key: k}}, {name: v}]\n"
      "contexts: [{name: a, context: {cluster: c}}]");
  const Kubeconfig config = load(first + ":" + second);
  CHECK(config.users.at("u").token == "first");
  CHECK(config.users.at("u").client_key.empty());
  CHECK(config.users.contains("v"));
  CHECK(config.contexts.at("a").cluster.empty());
  CHECK(config.current_context == "a");
  CHECK(load(second + ":" + first).users.at("u").token == "second");
}

TEST_CASE("paths count from the file's folder; a bare command is left for PATH") {
  const Folder folder;
  const std::string file = folder.write("sub/config", R"(
clusters: [{name: c, cluster: {certificate-authority: ../ca.crt}}]
users:
- {name: u, user: {client-certificate: c.crt, client-key: /abs/k, tokenFile: ./t, exec: {command: bin/x}}}
- {name: v, user: {exec: {command: x}}}
)");
  const Kubeconfig config = load(file);
  CHECK(config.clusters.at("c").certificate_authority == folder.at("ca.crt"));
  CHECK(config.users.at("u").client_certificate == folder.at("sub/c.crt"));
  CHECK(config.users.at("u").client_key == "/abs/k");
  CHECK(config.users.at("u").token_file == folder.at("sub/t"));
  CHECK(config.users.at("u").exec->command == folder.at("sub/bin/x"));
  CHECK(config.users.at("v").exec->command == "x");
}

TEST_CASE("a bad file is fatal even where nothing of it is used") {
  const Folder folder;
  const std::string good = folder.write("1", "current-context: one");
  const std::string bad = folder.write("2", "users:\n- name: u\n  user: {token: y}\n");
  try {
    load(good + ":" + bad);
    FAIL("loaded");
  } catch (const gpu::Error& error) {
    CHECK(error.kind() == gpu::ErrorKind::config);
    CHECK(gpu::headline(error) ==
          "error: error loading config file \"" + bad +
              "\": line 3: users[0].user.token: must be text, but is a boolean");
    CHECK(error.help().find("quotes") != std::string::npos);
  }
  CHECK(error_of(folder.write("3", "a: b: c\n")).find("\": line 1: ") != std::string::npos);
}

}  // namespace config_kubeconfig_test
