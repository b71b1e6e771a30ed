#include "kube/auth/credentials.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "base/error.hpp"
#include "base/secrets.hpp"
#include "kube/auth/exec_plugin.hpp"
#include "kube/config/files.hpp"

namespace gpu::kube {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

Time now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

/// The token file's token and when it was read.
struct FileToken {
  std::string token;
  SteadyTime read_at;
};

/// A plugin's answer, and whether it was good when it came: one that comes expired is used once and
/// does not make the plugin run again and again.
struct Given {
  PluginAnswer answer;
  bool was_fresh = true;

  [[nodiscard]] bool expired() const {
    return was_fresh && answer.expires && now() > *answer.expires;
  }
};

}  // namespace

struct CredentialSource::State {
  Credentials credentials;
  Environment environment;
  std::optional<FileToken> file_token;
  std::optional<Given> given;
  std::optional<SteadyTime> refreshed_at;

  std::string token_of_file() {
    // client-go reads it again after a minute, less ten seconds.
    constexpr std::chrono::seconds kPeriod{50};
    const SteadyTime time = std::chrono::steady_clock::now();
    if (!file_token || time - file_token->read_at >= kPeriod) {
      std::string token = read_token(file_token ? file_token->token : credentials.token);
      register_secret(token);
      file_token = FileToken{std::move(token), time};
    }
    return file_token->token;
  }

  /// The trimmed file; `fallback` when the file gives nothing and there is one.
  [[nodiscard]] std::string read_token(const std::string& fallback) const {
    const std::string& path = credentials.token_file;
    const FileContent file = read_file(path);
    std::string token(trimmed(file.bytes));
    if (file.ok() && !token.empty()) return token;
    if (!fallback.empty()) return fallback;
    const std::string problem = file.ok()
                                    ? "read empty token from file \"" + path + "\""
                                    : "failed to read token file \"" + path + "\": " + file.problem;
    throw Error(ErrorKind::config, problem, "the kubeconfig's user names this file as tokenFile");
  }

  const PluginAnswer& answer_of(const ExecPlugin& plugin, const PluginPatience& patience) {
    if (!given || given->expired()) {
      PluginAnswer answer = run_exec_plugin(plugin, environment, patience);
      register_secret(answer.token);
      register_pem(answer.client_key_pem);
      const bool fresh = !answer.expires || now() <= *answer.expires;
      given = Given{std::move(answer), fresh};
    }
    return given->answer;
  }
};

CredentialSource::CredentialSource(Credentials credentials, Environment environment)
    : state_(std::make_unique<State>()) {
  register_secret(credentials.token);
  register_secret(credentials.password);
  register_secret(encode_base64(credentials.username + ":" + credentials.password));
  register_pem(credentials.client_key_pem);
  for (const auto& [key, value] : credentials.impersonate_extra) register_header_value(value);
  state_->credentials = std::move(credentials);
  state_->environment = std::move(environment);
}
CredentialSource::~CredentialSource() = default;
CredentialSource::CredentialSource(CredentialSource&&) noexcept = default;
CredentialSource& CredentialSource::operator=(CredentialSource&&) noexcept = default;

ResolvedCredentials CredentialSource::get(const PluginPatience& patience) {
  const Credentials& credentials = state_->credentials;
  ResolvedCredentials resolved{.authorization = {},
                               .client_certificate_pem = credentials.client_certificate_pem,
                               .client_key_pem = credentials.client_key_pem};
  if (!credentials.token_file.empty()) {
    resolved.authorization = "Bearer " + state_->token_of_file();
  } else if (!credentials.token.empty()) {
    resolved.authorization = "Bearer " + credentials.token;
  } else if (!credentials.username.empty()) {
    resolved.authorization =
        "Basic " + encode_base64(credentials.username + ":" + credentials.password);
  } else if (credentials.exec) {
    const PluginAnswer& answer = state_->answer_of(*credentials.exec, patience);
    if (!answer.token.empty()) resolved.authorization = "Bearer " + answer.token;
    resolved.client_certificate_pem = answer.client_certificate_pem;
    resolved.client_key_pem = answer.client_key_pem;
  }
  return resolved;
}

bool CredentialSource::refresh() {
  State& state = *state_;
  if (!state.credentials.token_file.empty()) {
    if (!state.file_token) return true;
    const std::string before = state.file_token->token;
    state.file_token->token = state.read_token(before);
    register_secret(state.file_token->token);
    state.file_token->read_at = std::chrono::steady_clock::now();
    return state.file_token->token != before;
  }
  if (!state.credentials.exec || !state.given) return false;
  // Once a minute: a server that refuses what the plugin gives would have it run for every request,
  // and a watch of many hours may outlive several tokens.
  constexpr std::chrono::minutes kPause{1};
  const SteadyTime time = std::chrono::steady_clock::now();
  if (state.refreshed_at && time - *state.refreshed_at < kPause) return false;
  state.refreshed_at = time;
  state.given.reset();
  return true;
}

}  // namespace gpu::kube
