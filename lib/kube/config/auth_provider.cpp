#include "kube/config/auth_provider.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/base64.hpp"
#include "base/error.hpp"

namespace gpu::kube {
namespace {

using nlohmann::json;

constexpr std::string_view kPluginPage =
    "https://kubernetes.io/docs/reference/access-authn-authz/authentication/"
    "#client-go-credential-plugins";

std::string setting(const AuthProviderEntry& provider, const std::string& key) {
  const auto found = provider.config.find(key);
  return found == provider.config.end() ? "" : found->second;
}

[[noreturn]] void fail(const std::string& message, const std::string& help = {}) {
  throw Error(ErrorKind::config, message, help);
}

/// When an ID token ends; nothing when it does not say. Throws for text that is no token.
double expiry_of(const std::string& token) {
  const std::ptrdiff_t dots = std::count(token.begin(), token.end(), '.');
  if (dots != 2) fail("ID Token is not a valid JWT");
  const std::size_t first = token.find('.');
  const std::string_view part =
      std::string_view(token).substr(first + 1, token.rfind('.') - first - 1);
  const std::optional<std::string> payload = decode_base64_url(part);
  const json claims = json::parse(payload.value_or(""), nullptr, false);
  if (!claims.is_object()) fail("ID Token is not a valid JWT");
  const auto expiry = claims.find("exp");
  return expiry != claims.end() && expiry->is_number() ? expiry->get<double>() : 0;
}

}  // namespace

void check_auth_provider(const AuthProviderEntry& provider) {
  if (provider.name == "gcp")
    fail("The gcp auth plugin has been removed",
         "Please use the \"gke-gcloud-auth-plugin\" kubectl/client-go credential plugin instead.\n"
         "See https://cloud.google.com/blog/products/containers-kubernetes/"
         "kubectl-auth-changes-in-gke for further details");
  if (provider.name == "azure")
    fail("The azure auth plugin has been removed",
         "Please use the https://github.com/Azure/kubelogin kubectl/client-go credential plugin "
         "instead.\nSee " +
             std::string(kPluginPage) + " for further details");
  if (provider.name != "oidc")
    fail("no Auth Provider found for name \"" + provider.name + "\"",
         "kubectl knows oidc; everything else is a credential plugin (exec):\n  " +
             std::string(kPluginPage));
  for (const char* key : {"idp-issuer-url", "client-id"}) {
    if (setting(provider, key).empty()) fail(std::string("Must provide ") + key);
  }
}

std::string auth_provider_token(const AuthProviderEntry& provider,
                                std::chrono::system_clock::time_point now) {
  check_auth_provider(provider);
  constexpr double kSlack = 10;  // client-go's expiryDelta, in seconds
  std::string token = setting(provider, "id-token");
  const double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
  if (!token.empty() && seconds + kSlack < expiry_of(token)) return token;
  if (setting(provider, "refresh-token").empty())
    fail("No valid id-token, and cannot refresh without refresh-token",
         "log in again with the tool that wrote this user's oidc entry");
  fail("the oidc id-token has expired",
       "kubectl renews it and writes it to your kubeconfig; run this once, then try again:\n"
       "  kubectl version");
}

}  // namespace gpu::kube
