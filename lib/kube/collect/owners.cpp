#include "kube/collect/owners.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/phrase.hpp"
#include "base/split.hpp"
#include "decode/objects/controller.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/status.hpp"
#include "kube/http/advice.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"
#include "model/objects/own_kind.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube {
namespace {

constexpr int kMostLevels = 8;
constexpr std::size_t kMostGets = 16;
constexpr std::size_t kMostNamespaces = 8;
constexpr std::string_view kOne = "PartialObjectMetadata";
constexpr std::string_view kMany = "PartialObjectMetadataList";

/// An object whose controller is wanted.
struct Target {
  const WorkloadKind* kind = nullptr;
  std::string ns;
  std::string name;
  std::string uid;
};

/// Nothing for what is not climbed above.
std::optional<Target> target_of(const std::string& ns,
                                const std::optional<OwnerReference>& controller) {
  if (!controller) return std::nullopt;
  const WorkloadKind* const kind = workload_kind(controller->kind, controller->api_version);
  if (kind == nullptr || !kind->may_be_owned) return std::nullopt;
  return Target{kind, ns, controller->name, controller->uid};
}

std::string metadata_as(std::string_view kind) {
  return "application/json;as=" + std::string(kind) + ";g=meta.k8s.io;v=v1";
}

/// Targets of one kind, and how far they have come.
struct Group {
  std::vector<Target> targets;
  std::vector<std::string> versions;  ///< still to try; the first is asked
  std::size_t first_reply = 0;        ///< in the replies of a round
  std::vector<std::string> names;     ///< for each reply the object asked for; empty: a list
};

class OwnerWalk {
 public:
  explicit OwnerWalk(CollectContext& reading) : reading_(reading), snapshot_(reading.snapshot()) {}

  void run() {
    std::vector<Target> level;
    for (const Pod& pod : snapshot_.pods)
      add_target(level, pod.ns, decode::controller_of(pod.owners));
    for (int i = 0; i < kMostLevels && !level.empty(); ++i) {
      read(level);
      std::vector<Target> above;
      for (const Target& target : level)
        if (const auto found = snapshot_.controllers.find(target.uid);
            found != snapshot_.controllers.end())
          add_target(above, target.ns, found->second);
      level = std::move(above);
    }
    say_what_is_forbidden();
  }

 private:
  void add_target(std::vector<Target>& level, const std::string& ns,
                  const std::optional<OwnerReference>& controller) {
    if (auto target = target_of(ns, controller); target && asked_.insert(target->uid).second)
      level.push_back(std::move(*target));
  }

  void read(const std::vector<Target>& level) {
    std::map<const WorkloadKind*, Group> open;
    for (const Target& target : level) {
      if (closed_.contains(target.kind))
        closed_namespaces_.insert(target.ns);
      else if (!is_kept_pod(target) && !is_read_job(target))
        open[target.kind].targets.push_back(target);
    }
    for (auto& [kind, group] : open) {
      const std::vector<std::string_view> versions = split(kind->versions, ' ');
      group.versions.assign(versions.begin(), versions.end());
    }
    while (!open.empty()) {
      ListBatch batch(reading_.client(), metadata_as(kMany),
                      [this](std::size_t bytes) { reading_.count_bytes(bytes); });
      for (auto& [kind, group] : open) add_requests(batch, *kind, group);
      const std::vector<Reply> replies = batch.run();
      for (auto at = open.begin(); at != open.end();)
        at = is_done(*at->first, at->second, replies) ? open.erase(at) : std::next(at);
    }
  }

  /// What was kept need not be asked for: the leader of a group, the driver of its executors.
  bool is_kept_pod(const Target& target) {
    if (target.kind->plural != "pods") return false;
    if (pods_.empty())
      for (const Pod& pod : snapshot_.pods) pods_.emplace(pod.uid, &pod);
    const auto found = pods_.find(target.uid);
    if (found == pods_.end()) return false;
    snapshot_.controllers[target.uid] = decode::controller_of(found->second->owners);
    return true;
  }

  /// Jobs are read whole where they are needed.
  bool is_read_job(const Target& target) {
    if (target.kind->plural != "jobs" || target.kind->group != "batch") return false;
    if (jobs_.empty())
      for (const Job& job : snapshot_.scheduling.jobs) jobs_.emplace(job.uid, &job);
    const auto found = jobs_.find(target.uid);
    if (found == jobs_.end()) return false;
    snapshot_.controllers[target.uid] = decode::controller_of(found->second->owners);
    return true;
  }

  void add_requests(ListBatch& batch, const WorkloadKind& kind, Group& group) {
    const std::string version = group.versions.front();
    const std::string api = kind.group.empty() ? "/api/" : "/apis/" + std::string(kind.group) + "/";
    const auto path_in = [&](const std::string& ns) {
      const std::string scope = ns.empty() ? "" : "/namespaces/" + percent_encoded(ns);
      return api + version + scope + "/" + std::string(kind.plural);
    };
    group.first_reply = batch.size();
    group.names.clear();
    const auto add = [&](const std::string& path, std::string_view list_kind,
                         const std::string& name) {
      batch.add(list_path(path, {}), reader(kind, version, list_kind),
                {.accept = metadata_as(list_kind)});
      group.names.push_back(name);
    };
    if (group.targets.size() <= kMostGets) {
      for (const Target& target : group.targets)
        add(path_in(target.ns) + "/" + percent_encoded(target.name), kOne, target.name);
      return;
    }
    std::set<std::string> namespaces;
    for (const Target& target : group.targets) namespaces.insert(target.ns);
    if (namespaces.size() > kMostNamespaces) namespaces = {""};
    for (const std::string& ns : namespaces) add(path_in(ns), kMany, "");
  }

  ItemReader reader(const WorkloadKind& kind, const std::string& version,
                    std::string_view list_kind) {
    const std::string api_version =
        kind.group.empty() ? version : std::string(kind.group) + "/" + version;
    return ItemReader::of_objects(
        std::string(list_kind), [this, &kind, api_version](const nlohmann::json& object) {
          decode::ControlledObject read = decode::controlled_object_from_json(object);
          if (!asked_.contains(read.uid)) return;
          tell(object, api_version, kind.kind);
          snapshot_.controllers[read.uid] = std::move(read.controller);
        });
  }

  /// As the object would have come whole, which is how files have it.
  void tell(const nlohmann::json& object, const std::string& api_version, std::string_view kind) {
    if (!reading_.needs().on_object) return;
    nlohmann::json named = object;
    named["apiVersion"] = api_version;
    named["kind"] = kind;
    reading_.tell(named, api_version, kind);
  }

  /// False when another version of the API is to be tried.
  bool is_done(const WorkloadKind& kind, Group& group, const std::vector<Reply>& replies) {
    for (std::size_t i = 0; i < group.names.size(); ++i) {
      const Reply& reply = replies.at(group.first_reply + i);
      if (reply.ok()) continue;
      if (reply.error) throw error_of(reply, reading_.client().connection());
      if (reply.status == 404) {
        if (says_object_is_gone(reply, group.names[i])) continue;
        group.versions.erase(group.versions.begin());
        return group.versions.empty();
      }
      close(kind, group, reply);
      return true;
    }
    return true;
  }

  void close(const WorkloadKind& kind, const Group& group, const Reply& reply) {
    closed_.insert(&kind);
    const Error error = error_of(reply, reading_.client().connection());
    const std::string resource =
        std::string(kind.plural) + (kind.group.empty() ? "" : "." + std::string(kind.group));
    if (reply.status != 403) return add_gap(resource, error.message(), error.help());
    for (const Target& target : group.targets) closed_namespaces_.insert(target.ns);
    forbidden_.push_back(resource);
    refusals_.push_back(error.message());
  }

  /// All kinds in one gap: one role allows them.
  void say_what_is_forbidden() {
    if (forbidden_.empty()) return;
    add_gap(joined(forbidden_), refusals_.front(),
            role_help(refusals_, closed_namespaces_, "kubectl-gpu-owners",
                      reading_.client().connection()));
  }

  void add_gap(const std::string& resources, const std::string& why, const std::string& help) {
    snapshot_.gaps.push_back(
        {.what = resources + " cannot be read, so owners above them are unknown",
         .why = why,
         .help = help,
         .about = GapTopic::owners});
  }

  CollectContext& reading_;
  Snapshot& snapshot_;
  std::set<std::string> asked_;              ///< uids
  std::set<const WorkloadKind*> closed_;     ///< kinds that cannot be read
  std::set<std::string> closed_namespaces_;  ///< where forbidden ones were asked for
  std::vector<std::string> forbidden_;       ///< "replicasets.apps"
  std::vector<std::string> refusals_;        ///< the server's words, one for each of these
  std::map<std::string, const Pod*> pods_;   ///< kept ones, by uid
  std::map<std::string, const Job*> jobs_;   ///< that were read, by uid
};

}  // namespace

bool says_object_is_gone(const Reply& reply, std::string_view name) {
  const auto status = decode::status_from_body(reply.body);
  return !name.empty() && status &&
         status->message.find(std::string("\"").append(name) + '"') != std::string::npos;
}

void read_owners(CollectContext& reading) { OwnerWalk(reading).run(); }

void keep_owners_of_pods(Snapshot& snapshot) {
  const auto all = std::exchange(snapshot.controllers, {});
  for (const Pod& pod : snapshot.pods) {
    std::optional<Target> at = target_of(pod.ns, decode::controller_of(pod.owners));
    for (int i = 0; i < kMostLevels; ++i) {
      if (!at) break;
      const auto found = all.find(at->uid);
      if (found == all.end() || !snapshot.controllers.insert(*found).second) break;
      at = target_of(pod.ns, found->second);
    }
  }
}

void infer_deployments(Snapshot& snapshot) {
  for (const Pod& pod : snapshot.pods) {
    const auto controller = decode::controller_of(pod.owners);
    const std::string* const hash = pod.labels.find("pod-template-hash");
    if (!controller || !is_own(*controller, "ReplicaSet") || hash == nullptr || hash->empty() ||
        controller->uid.empty() || snapshot.controllers.contains(controller->uid))
      continue;
    const std::string end = "-" + *hash;
    std::string name = controller->name;
    if (!name.ends_with(end) || name.size() == end.size()) continue;
    name.resize(name.size() - end.size());
    // No UID looks like this one, and all ReplicaSets of the Deployment need the same.
    std::string uid = "deployment/" + pod.ns + "/" + name;
    snapshot.controllers[controller->uid] = OwnerReference{.kind = "Deployment",
                                                           .name = name,
                                                           .uid = uid,
                                                           .api_version = "apps/v1",
                                                           .controller = true};
    snapshot.controllers.emplace(std::move(uid), std::nullopt);
  }
}

}  // namespace gpu::kube
