#include "kube/config/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::kube {
namespace {

/// A flag that is given and empty changes nothing, as in client-go's merge: both are empty here.
std::string text_of(const std::optional<std::string>& flag) { return flag.value_or(""); }

bool is_given(const std::optional<std::string>& flag) { return !text_of(flag).empty(); }

void override_text(std::string& value, const std::optional<std::string>& flag) {
  if (is_given(flag)) value = text_of(flag);
}

void override_cluster(ClusterEntry& cluster, const ConnectionFlags& flags) {
  override_text(cluster.server, flags.server);
  override_text(cluster.tls_server_name, flags.tls_server_name);
  // The file's tls-server-name belongs to the file's server.
  if (is_given(flags.server) && !is_given(flags.tls_server_name)) cluster.tls_server_name.clear();
  const bool insecure = flags.insecure_skip_tls_verify.value_or(false);
  // One of the two flags replaces all that the file says about trust.
  if (insecure || is_given(flags.certificate_authority)) {
    cluster.insecure_skip_tls_verify = insecure;
    cluster.certificate_authority = text_of(flags.certificate_authority);
    cluster.certificate_authority_data.clear();
  }
  if (flags.disable_compression.value_or(false)) cluster.disable_compression = true;
}

void override_impersonation(UserEntry& user, const ConnectionFlags& flags) {
  override_text(user.as, flags.as);
  override_text(user.as_uid, flags.as_uid);
  if (!flags.as_groups.empty()) user.as_groups = flags.as_groups;
  std::map<std::string, std::vector<std::string>> extra;
  for (const std::string& entry : flags.as_user_extra) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;  // kubectl skips these, too
    extra[entry.substr(0, equals)].push_back(entry.substr(equals + 1));
  }
  // A key of the flags replaces the file's values of that key, other keys stay.
  extra.merge(user.as_user_extra);
  user.as_user_extra = std::move(extra);
}

void override_user(UserEntry& user, const ConnectionFlags& flags) {
  override_text(user.token, flags.token);
  override_text(user.username, flags.username);
  override_text(user.password, flags.password);
  if (is_given(flags.client_certificate)) {
    user.client_certificate = text_of(flags.client_certificate);
    user.client_certificate_data.clear();
  }
  if (is_given(flags.client_key)) {
    user.client_key = text_of(flags.client_key);
    user.client_key_data.clear();
  }
  override_impersonation(user, flags);
}

template <class Entry>
std::string known_names(const std::map<std::string, Entry>& entries, const std::string& wanted,
                        std::string_view command) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const auto& [name, entry] : entries) names.emplace_back(name);
  std::string help;
  if (const auto nearest = nearest_name(wanted, names))
    help = fmt::format("did you mean \"{}\"?\n", *nearest);
  return help + fmt::format("to see what there is:\n  {}", command);
}

Error context_missing(const Kubeconfig& config, const std::string& name) {
  return {ErrorKind::config,
          "Error in configuration: context was not found for specified context: " + name,
          known_names(config.contexts, name, "kubectl config get-contexts")};
}

void throw_problems(const std::vector<std::string>& problems, const std::string& help) {
  if (problems.empty()) return;
  if (problems.size() == 1) throw Error(ErrorKind::config, problems.front(), help);
  throw Error(ErrorKind::config,
              fmt::format("Error in configuration: {}", fmt::join(problems, "; ")), help);
}

template <class Entry>
Entry entry_of(const std::map<std::string, Entry>& entries, const std::string& name) {
  const auto found = entries.find(name);
  return found == entries.end() ? Entry{} : found->second;
}

}  // namespace

std::string default_server(const Environment& environment) {
  const std::string master = environment.get_or_empty("KUBERNETES_MASTER");
  return master.empty() ? "http://localhost:8080" : master;
}

Selection select_entries(const Kubeconfig& config, const ConnectionFlags& flags,
                         const Environment& environment) {
  const std::string cluster_flag = text_of(flags.cluster);
  const std::string user_flag = text_of(flags.user);
  Selection chosen;
  chosen.context_name = config.current_context;
  override_text(chosen.context_name, flags.context);
  const bool known = config.contexts.contains(chosen.context_name);
  if (!known && !chosen.context_name.empty()) throw context_missing(config, chosen.context_name);
  if (known) chosen.context = config.contexts.at(chosen.context_name);

  chosen.cluster_name = cluster_flag.empty() ? chosen.context.cluster : cluster_flag;
  chosen.user_name = user_flag.empty() ? chosen.context.user : user_flag;
  // A context may name a cluster or user that is not there: kubectl goes on with an empty one. A
  // flag may not.
  const bool no_cluster = !cluster_flag.empty() && !config.clusters.contains(cluster_flag);
  const bool no_user = !user_flag.empty() && !config.users.contains(user_flag);
  chosen.cluster = entry_of(config.clusters, chosen.cluster_name);
  if (chosen.cluster.server.empty() && !no_cluster)
    chosen.cluster.server = default_server(environment);
  if (!no_cluster) override_cluster(chosen.cluster, flags);
  chosen.user = entry_of(config.users, chosen.user_name);
  if (!no_user) override_user(chosen.user, flags);

  throw_problems(problems_of(chosen),
                 no_cluster
                     ? known_names(config.clusters, cluster_flag, "kubectl config get-clusters")
                     : "look at the entries in use:\n  kubectl config view --minify");
  if (no_user)
    throw Error(ErrorKind::config, "auth info \"" + user_flag + "\" does not exist",
                known_names(config.users, user_flag, "kubectl config get-users"));
  return chosen;
}

}  // namespace gpu::kube
