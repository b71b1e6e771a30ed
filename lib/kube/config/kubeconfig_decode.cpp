// The JSON form of a kubeconfig, read as k8s.io/client-go/tools/clientcmd/api/v1 reads it: names of
// fields count in their exact case, unknown fields are skipped, null is the same as absent.
#include <algorithm>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "base/error.hpp"
#include "decode/wire/yaml.hpp"
#include "kube/config/kubeconfig.hpp"

namespace gpu::kube {
namespace {

using nlohmann::json;

constexpr std::string_view kQuoteHelp =
    "YAML reads bare y, n, yes, no, on, off, true, false and numbers as no text: put the value in "
    "quotes";
constexpr std::string_view kExecExtension = "client.authentication.k8s.io/exec";

/// "/users/0/user/token" as people write it: users[0].user.token.
std::string readable(const json::json_pointer& pointer) {
  std::string path;
  for (json::json_pointer at = pointer; !at.empty(); at.pop_back()) {
    const std::string& part = at.back();
    const bool index = std::all_of(part.begin(), part.end(), is_digit);
    const std::string step = index ? "[" + part + "]" : "." + part;
    path.insert(0, step);
  }
  if (path.starts_with('.')) path.erase(0, 1);
  return path;
}

std::string_view type_of(const json& value) {
  if (value.is_boolean()) return "a boolean";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "text";
  return value.is_array() ? "a list" : "a map";
}

/// One value of the document, with its place for messages.
class ConfigValue {
 public:
  ConfigValue(std::string_view document, const json* value, json::json_pointer place)
      : document_(document), value_(value), place_(std::move(place)) {}

  [[nodiscard]] bool exists() const { return value_ != nullptr && !value_->is_null(); }
  [[nodiscard]] const json& raw() const { return *value_; }

  [[nodiscard]] ConfigValue field(const std::string& key) const {
    const json* found = nullptr;
    if (exists()) {
      if (!value_->is_object()) fail_type("a map");
      const auto at = value_->find(key);
      if (at != value_->end()) found = &*at;
    }
    return {document_, found, place_ / key};
  }

  [[nodiscard]] std::string text() const {
    if (!exists()) return {};
    if (!value_->is_string()) fail_type("text");
    return value_->get<std::string>();
  }
  [[nodiscard]] std::string text(const std::string& key) const { return field(key).text(); }

  [[nodiscard]] bool flag(const std::string& key) const {
    const ConfigValue node = field(key);
    if (!node.exists()) return false;
    if (!node.value_->is_boolean()) node.fail_type("true or false");
    return node.value_->get<bool>();
  }

  /// Decoded bytes of base64 text.
  [[nodiscard]] std::string bytes(const std::string& key) const {
    const ConfigValue node = field(key);
    Base64Result decoded = decode_base64(node.text());
    if (decoded.error_at)
      node.fail("illegal base64 data at input byte " + std::to_string(*decoded.error_at));
    return std::move(decoded.bytes);
  }

  [[nodiscard]] std::vector<ConfigValue> items() const {
    std::vector<ConfigValue> nodes;
    if (!exists()) return nodes;
    if (!value_->is_array()) fail_type("a list");
    for (std::size_t i = 0; i < value_->size(); ++i)
      nodes.emplace_back(document_, &(*value_)[i], place_ / i);
    return nodes;
  }

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const ConfigValue& item : items()) all.push_back(item.text());
    return all;
  }

  [[nodiscard]] std::vector<std::pair<std::string, ConfigValue>> entries() const {
    std::vector<std::pair<std::string, ConfigValue>> all;
    if (!exists()) return all;
    if (!value_->is_object()) fail_type("a map");
    for (const auto& [key, value] : value_->items())
      all.emplace_back(key, ConfigValue(document_, &value, place_ / key));
    return all;
  }

  [[noreturn]] void fail(const std::string& problem, std::string_view help = {}) const {
    const std::string line = std::to_string(decode::yaml_line(document_, place_));
    const std::string path = readable(place_);
    throw Error(ErrorKind::config,
                "line " + line + ": " + (path.empty() ? "" : path + ": ") + problem,
                std::string(help));
  }

 private:
  [[noreturn]] void fail_type(std::string_view wanted) const {
    const bool quotes_help = wanted == "text" && !value_->is_structured();
    fail("must be " + std::string(wanted) + ", but is " + std::string(type_of(*value_)),
         quotes_help ? kQuoteHelp : std::string_view{});
  }

  std::string_view document_;
  const json* value_;
  json::json_pointer place_;
};

/// The names in a list of {name, ...}, each allowed once. The message leaves out the entries, which
/// may hold a token.
template <class Value, class Read>
std::map<std::string, Value> named(const ConfigValue& list, Read read) {
  std::map<std::string, Value> map;
  for (const ConfigValue& item : list.items()) {
    const std::string name = item.text("name");
    if (!map.emplace(name, read(item)).second)
      item.fail("duplicate name \"" + name + "\" in this list",
                "kubectl takes no file in which a name stands twice");
  }
  return map;
}

std::map<std::string, json> extensions(const ConfigValue& owner) {
  return named<json>(owner.field("extensions"), [](const ConfigValue& item) {
    const ConfigValue extension = item.field("extension");
    return extension.exists() ? extension.raw() : json();
  });
}

ClusterEntry cluster_entry(const ConfigValue& node) {
  ClusterEntry cluster;
  cluster.server = node.text("server");
  cluster.tls_server_name = node.text("tls-server-name");
  cluster.certificate_authority = node.text("certificate-authority");
  cluster.certificate_authority_data = node.bytes("certificate-authority-data");
  cluster.proxy_url = node.text("proxy-url");
  cluster.insecure_skip_tls_verify = node.flag("insecure-skip-tls-verify");
  cluster.disable_compression = node.flag("disable-compression");
  std::map<std::string, json> all = extensions(node);
  if (const auto found = all.find(std::string(kExecExtension)); found != all.end())
    cluster.exec_extension = std::move(found->second);
  return cluster;
}

ExecEntry exec_entry(const ConfigValue& node) {
  ExecEntry exec;
  exec.api_version = node.text("apiVersion");
  exec.command = node.text("command");
  exec.args = node.field("args").texts();
  for (const ConfigValue& item : node.field("env").items())
    exec.env.emplace_back(item.text("name"), item.text("value"));
  exec.install_hint = node.text("installHint");
  exec.provide_cluster_info = node.flag("provideClusterInfo");
  exec.interactive_mode = node.text("interactiveMode");
  const bool has_default = exec.api_version == "client.authentication.k8s.io/v1beta1" ||
                           exec.api_version == "client.authentication.k8s.io/v1alpha1";
  if (exec.interactive_mode.empty() && has_default) exec.interactive_mode = "IfAvailable";
  return exec;
}

AuthProviderEntry auth_provider_entry(const ConfigValue& node) {
  AuthProviderEntry provider;
  provider.name = node.text("name");
  for (const auto& [key, value] : node.field("config").entries())
    provider.config[key] = value.text();
  return provider;
}

UserEntry user_entry(const ConfigValue& node) {
  UserEntry user;
  user.client_certificate = node.text("client-certificate");
  user.client_certificate_data = node.bytes("client-certificate-data");
  user.client_key = node.text("client-key");
  user.client_key_data = node.bytes("client-key-data");
  user.token = node.text("token");
  user.token_file = node.text("tokenFile");
  user.username = node.text("username");
  user.password = node.text("password");
  user.as = node.text("as");
  user.as_uid = node.text("as-uid");
  user.as_groups = node.field("as-groups").texts();
  for (const auto& [key, values] : node.field("as-user-extra").entries())
    user.as_user_extra[key] = values.texts();
  if (const ConfigValue provider = node.field("auth-provider"); provider.exists())
    user.auth_provider = auth_provider_entry(provider);
  if (const ConfigValue exec = node.field("exec"); exec.exists()) user.exec = exec_entry(exec);
  extensions(node);
  return user;
}

ContextEntry context_entry(const ConfigValue& node) {
  extensions(node);
  return {.cluster = node.text("cluster"), .user = node.text("user"), .ns = node.text("namespace")};
}

void check_version(const ConfigValue& root) {
  const std::string kind = root.text("kind");
  const std::string version = root.text("apiVersion");
  const bool known = (kind.empty() || kind == "Config") && (version.empty() || version == "v1");
  if (known) return;
  root.fail("no kind \"" + (kind.empty() ? "Config" : kind) + "\" is registered for version \"" +
                (version.empty() ? "v1" : version) + "\"",
            "a kubeconfig has apiVersion: v1 and kind: Config");
}

}  // namespace

Kubeconfig decode_kubeconfig(std::string_view text) {
  const json document = decode::yaml_to_json(text);
  const ConfigValue root(text, &document, json::json_pointer());
  check_version(root);
  Kubeconfig config;
  config.current_context = root.text("current-context");
  config.clusters = named<ClusterEntry>(root.field("clusters"), [](const ConfigValue& item) {
    return cluster_entry(item.field("cluster"));
  });
  config.users = named<UserEntry>(
      root.field("users"), [](const ConfigValue& item) { return user_entry(item.field("user")); });
  config.contexts = named<ContextEntry>(root.field("contexts"), [](const ConfigValue& item) {
    return context_entry(item.field("context"));
  });
  extensions(root);
  const ConfigValue preferences = root.field("preferences");
  [[maybe_unused]] const bool colors = preferences.flag("colors");
  extensions(preferences);
  return config;
}

}  // namespace gpu::kube
