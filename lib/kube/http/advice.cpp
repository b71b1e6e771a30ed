#include "kube/http/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "kube/config/url.hpp"

namespace gpu::kube {
namespace {

/// The text between the first `before` and the `"` after it.
std::optional<std::string> quoted_after(std::string_view text, std::string_view before) {
  const std::size_t found = text.find(before);
  if (found == std::string_view::npos) return std::nullopt;
  const std::size_t start = found + before.size();
  const std::size_t end = text.find('"', start);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(start, end - start));
}

/// The server's words end up in a command that somebody pastes: only harmless ones.
bool is_plain(std::string_view text) {
  static constexpr std::string_view kPunctuation = "-._:@/";
  return !text.empty() && text.size() <= 253 && !text.starts_with('-') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || is_letter(c) || kPunctuation.find(c) != std::string_view::npos;
         });
}

std::string subject_flag(const std::string& user) {
  static constexpr std::string_view kServiceAccount = "system:serviceaccount:";
  if (user.starts_with(kServiceAccount))
    return "--serviceaccount=" + user.substr(kServiceAccount.size());
  return "--user=" + user;
}

struct Refusal {
  std::string user;
  std::string verb;
  std::string resource;  ///< "pods", "resourceslices.resource.k8s.io"
  std::string ns;        ///< empty: cluster scope
};

std::optional<Refusal> refusal_in(std::string_view message) {
  const auto user = quoted_after(message, "User \"");
  const auto resource = quoted_after(message, "resource \"");
  const std::size_t cannot = message.find("\" cannot ");
  if (!user || !resource || cannot == std::string_view::npos) return std::nullopt;
  std::string_view verb = message.substr(cannot + 9);
  verb = verb.substr(0, verb.find(' '));
  Refusal refusal{*user, std::string(verb), *resource, {}};
  const auto group = quoted_after(message, "API group \"");
  // kubectl's form: RESOURCE.GROUP/SUBRESOURCE.
  if (group && !group->empty())
    refusal.resource.insert(std::min(refusal.resource.find('/'), refusal.resource.size()),
                            "." + *group);
  refusal.ns = quoted_after(message, "in the namespace \"").value_or("");
  const bool plain = is_plain(refusal.user) && is_plain(refusal.verb) &&
                     is_plain(refusal.resource) && (refusal.ns.empty() || is_plain(refusal.ns));
  if (!plain) return std::nullopt;
  return refusal;
}

std::string who_asks(const Connection& connection) {
  const std::string& as = connection.credentials.impersonate_user;
  const std::string who = connection.user.empty() ? "no user is named for " + described(connection)
                                                  : "you are user \"" + connection.user + "\" of " +
                                                        described(connection);
  return who + (as.empty() ? "" : ", acting as \"" + as + "\"") + "\n";
}

constexpr std::string_view kAskForIt = "ask an administrator of the cluster for this right";

std::string role_commands(const Refusal& refusal, const std::string& name,
                          const std::string& verbs) {
  return fmt::format(
      "an administrator of the cluster can allow it:\n"
      "kubectl create {0} {1}{2} --verb={3} --resource={4}\n"
      "kubectl create {0}binding {1}{2} --{0}={1} {5}",
      refusal.ns.empty() ? "clusterrole" : "role", name,
      refusal.ns.empty() ? "" : " -n " + refusal.ns, verbs, refusal.resource,
      subject_flag(refusal.user));
}

}  // namespace

std::string described(const Connection& connection) {
  std::string text;
  if (!connection.context.empty()) text += fmt::format("context \"{}\", ", connection.context);
  if (!connection.cluster.empty()) text += fmt::format("cluster \"{}\", ", connection.cluster);
  return text + "server " + without_userinfo(connection.server);
}

std::string tried(const Connection& connection) {
  std::string text = "tried " + described(connection);
  if (!connection.proxy.empty()) text += ", proxy " + without_userinfo(connection.proxy);
  return text;
}

std::string reach_help(const Connection& connection, std::string_view first) {
  std::string help = tried(connection) + '\n';
  if (!first.empty()) help += std::string(first) + '\n';
  return help +
         "is the cluster up, is a VPN needed, is this the right context?\n"
         "kubectl config get-contexts";
}

std::string role_help(std::string_view message, const Connection& connection) {
  const auto refusal = refusal_in(message);
  if (!refusal) return who_asks(connection) + std::string(kAskForIt);
  // A name for each resource: two refusals in one run must not ask for the same role twice.
  std::string name = "kubectl-gpu-" + refusal->resource.substr(0, refusal->resource.find('.'));
  std::replace(name.begin(), name.end(), '/', '-');  // pods/proxy
  const std::string verbs = refusal->verb == "list" ? "get,list" : refusal->verb;
  return who_asks(connection) + role_commands(*refusal, name, verbs);
}

bool names_role(std::string_view message) { return refusal_in(message).has_value(); }

std::string role_help(const std::vector<std::string>& messages,
                      const std::set<std::string>& namespaces, const std::string& name,
                      const Connection& connection) {
  std::optional<Refusal> all;
  for (const std::string& message : messages) {
    const auto refusal = refusal_in(message);
    if (!refusal) return who_asks(connection) + std::string(kAskForIt);
    if (all)
      all->resource += "," + refusal->resource;
    else
      all = refusal;
  }
  if (!all) return who_asks(connection) + std::string(kAskForIt);
  const bool is_one = namespaces.size() == 1 && is_plain(*namespaces.begin());
  all->ns = is_one ? *namespaces.begin() : "";
  return who_asks(connection) + role_commands(*all, name, "get,list");
}

std::string quotation(std::string_view text) {
  constexpr std::size_t kLongest = 1000;
  // Masked before it is cut: half a token would not be known for one.
  std::string shown = without_secrets(text);
  if (shown.size() <= kLongest) return shown;
  return valid_utf8(std::string_view(shown).substr(0, kLongest)) + " [...]";
}

Error with_origin(const Error& error, const Connection& connection) {
  if (error.kind() != ErrorKind::data || !error.help().empty()) return error;
  return {ErrorKind::data, error.message(),
          tried(connection) +
              "\nthe answer is cut off or is none of the Kubernetes API: a proxy on the way, or "
              "another server at this address?"};
}

}  // namespace gpu::kube
