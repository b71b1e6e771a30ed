#include "kube/auth/exec_plugin.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "decode/wire/yaml.hpp"
#include "kube/config/files.hpp"
#include "kube/config/pem.hpp"
#include "kube/process/process.hpp"

namespace gpu::kube {
namespace {

using nlohmann::json;

constexpr std::string_view kGroup = "client.authentication.k8s.io/";

[[noreturn]] void fail(const std::string& problem, const std::string& help = {}) {
  throw Error(ErrorKind::config, "Unable to connect to the server: getting credentials: " + problem,
              help);
}

/// An install hint as it may be shown: line ends stay, everything else is cleaned.
std::string shown_hint(std::string_view hint) {
  std::string shown;
  for (std::size_t start = 0; start < hint.size();) {
    const std::size_t end = std::min(hint.find('\n', start), hint.size());
    shown += "\n" + sanitize(hint.substr(start, end - start));
    start = end + 1;
  }
  return shown;
}

[[noreturn]] void fail_not_found(const ExecPlugin& plugin) {
  fail("exec: executable " + plugin.command + " not found",
       "It looks like you are trying to use a client-go credential plugin that is not installed.\n"
       "To learn more about this feature, consult the documentation available at:\n"
       "  https://kubernetes.io/docs/reference/access-authn-authz/authentication/"
       "#client-go-credential-plugins" +
           shown_hint(plugin.install_hint));
}

/// The program that a command names.
std::string program_of(const ExecPlugin& plugin, const Environment& environment) {
  if (plugin.command.find('/') != std::string::npos) return plugin.command;
  std::optional<std::string> program = program_in_path(plugin.command, environment);
  if (!program) fail_not_found(plugin);
  return *std::move(program);
}

Interaction interaction_of(const ExecPlugin& plugin) {
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  if (plugin.interactive_mode == "Always" && !terminal)
    fail("exec plugin cannot support interactive mode: standard input is not a terminal",
         "run this in a terminal, or log in with the plugin first");
  const bool possible = plugin.interactive_mode != "Never" && terminal;
  return possible ? Interaction::possible : Interaction::none;
}

/// A text field of status; what is no text is refused, null is the same as absent.
std::string text_of(const json& status, const char* key) {
  const auto found = status.find(key);
  if (found == status.end() || found->is_null()) return {};
  if (!found->is_string()) fail(fmt::format("decoding stdout: status.{} must be text", key));
  return found->get<std::string>();
}

json parse_output(std::string_view output) {
  const auto first = output.find_first_not_of(" \t\r\n");
  json document;
  try {
    // JSON says itself by its brace; then a YAML reader's leniency has no place.
    document = first != std::string_view::npos && output[first] == '{'
                   ? json::parse(output, nullptr, false)
                   : decode::yaml_to_json(output);
  } catch (const Error&) {
    document = json(json::value_t::discarded);
  }
  if (!document.is_object())
    fail("decoding stdout: couldn't get version/kind; the output is no ExecCredential",
         "the plugin must print one ExecCredential in JSON or YAML and nothing else on stdout");
  return document;
}

void check_type(const json& document, std::string_view api_version) {
  const std::string kind = text_of(document, "kind");
  const std::string version = text_of(document, "apiVersion");
  if (kind.empty()) fail("decoding stdout: Object 'Kind' is missing");
  if (version.empty()) fail("decoding stdout: Object 'apiVersion' is missing");
  if (kind != "ExecCredential" || !version.starts_with(kGroup))
    fail("decoding stdout: no kind \"" + sanitize(kind) + "\" is registered for version \"" +
         sanitize(version) + "\"");
  if (version != api_version)
    fail("exec plugin is configured to use API version " + std::string(api_version) +
             ", plugin returned version " + sanitize(version),
         "set users[].user.exec.apiVersion in the kubeconfig to what the plugin returns");
}

std::optional<Time> expiry_of(const json& status) {
  const auto found = status.find("expirationTimestamp");
  if (found == status.end() || found->is_null()) return std::nullopt;
  const std::optional<Time> expiry = parse_time(text_of(status, "expirationTimestamp"));
  if (!expiry) fail("decoding stdout: status.expirationTimestamp is no RFC 3339 time");
  return expiry;
}

}  // namespace

std::string exec_info(const ExecPlugin& plugin, Interaction interaction) {
  json spec = {{"interactive", interaction == Interaction::possible}};
  if (plugin.provide_cluster_info) spec["cluster"] = plugin.cluster;
  const json info = {
      {"kind", "ExecCredential"}, {"apiVersion", plugin.api_version}, {"spec", std::move(spec)}};
  return info.dump(-1, ' ', false, json::error_handler_t::replace);
}

PluginAnswer decode_exec_credential(std::string_view output, std::string_view api_version) {
  const json document = parse_output(output);
  check_type(document, api_version);
  const auto status = document.find("status");
  if (status == document.end() || !status->is_object())
    fail("exec plugin didn't return a status field");
  PluginAnswer answer{.token = text_of(*status, "token"),
                      .client_certificate_pem = text_of(*status, "clientCertificateData"),
                      .client_key_pem = text_of(*status, "clientKeyData"),
                      .expires = expiry_of(*status)};
  const bool certificate = !answer.client_certificate_pem.empty();
  const bool key = !answer.client_key_pem.empty();
  if (answer.token.empty() && !certificate && !key)
    fail("exec plugin didn't return a token or cert/key pair");
  if (certificate != key) fail("exec plugin returned only certificate or key, not both");
  const std::string problem =
      certificate ? key_pair_problem(answer.client_certificate_pem, answer.client_key_pem) : "";
  if (!problem.empty()) fail("failed parsing client key/certificate: " + problem);
  return answer;
}

PluginAnswer run_exec_plugin(const ExecPlugin& plugin, const Environment& environment,
                             const PluginPatience& patience) {
  constexpr std::chrono::seconds kSlowAfter{5};
  const Interaction interaction = interaction_of(plugin);
  ProcessRequest request{.program = program_of(plugin, environment),
                         .arguments = plugin.args,
                         .environment = environment.all()};
  for (const auto& [name, value] : plugin.env) request.environment[name] = value;
  request.environment["KUBERNETES_EXEC_INFO"] = exec_info(plugin, interaction);
  if (interaction == Interaction::possible) request.input = ChildInput::ours;
  if (patience.limit && *patience.limit > std::chrono::milliseconds::zero())
    request.time_limit = patience.limit;
  request.slow_after = kSlowAfter;
  if (patience.on_slow) request.on_slow = [&] { patience.on_slow(plugin.command); };

  const ProcessResult result = run_process(request);
  if (result.start_error != 0)
    fail("exec: fork/exec " + request.program + ": " + system_problem(result.start_error),
         "the kubeconfig names this credential plugin" + shown_hint(plugin.install_hint));
  if (result.is_late)
    fail(
        "exec: executable " + plugin.command + " gave nothing within the time of --request-timeout",
        "run it by itself to see what it waits for");
  if (result.too_much_output)
    fail("exec: executable " + plugin.command + " printed more than 1 MiB");
  if (result.exit_code != 0)
    fail(fmt::format("exec: executable {} failed with exit code {}", plugin.command,
                     result.exit_code),
         "the plugin's own message is above");
  return decode_exec_credential(result.output, plugin.api_version);
}

}  // namespace gpu::kube
