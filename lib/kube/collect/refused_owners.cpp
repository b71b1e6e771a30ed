#include "kube/collect/refused_owners.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "decode/objects/controller.hpp"
#include "kube/collect/owners.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::kube {
namespace {

/// More of one kind in a namespace are read by one list.
constexpr std::size_t kMostRefusedGets = 8;
/// Of more the events alone are known.
constexpr std::size_t kMostRefusedRequests = 64;

/// A controller, as it signs its events, and what it creates pods for.
struct Controller {
  std::string_view reporter;
  std::string_view kind;
  std::string_view api_version;
};

// Source: the event recorders of kubernetes pkg/controller.
constexpr auto kControllers = std::to_array<Controller>({
    {"job-controller", "Job", "batch/v1"},
    {"replicaset-controller", "ReplicaSet", "apps/v1"},
    {"statefulset-controller", "StatefulSet", "apps/v1"},
    {"daemonset-controller", "DaemonSet", "apps/v1"},
    {"replication-controller", "ReplicationController", "v1"},
});

const Controller* controller_of(const Event& event) {
  for (const Controller& each : kControllers) {
    const bool may_be_its = event.reporter.empty() || event.reporter == each.reporter;
    if (each.kind == event.kind && may_be_its) return &each;
  }
  return nullptr;
}

/// Owners of one kind in one namespace, by name.
struct RefusedGroup {
  const Controller* controller = nullptr;  ///< never null
  std::string ns;
  std::map<std::string, RefusedOwner> owners;
};

using RefusedGroups = std::map<std::pair<std::string_view, std::string_view>, RefusedGroup>;

RefusedGroups groups_of(const SchedulingFacts& facts) {
  RefusedGroups groups;
  for (const Event* event : newest_refusals(facts)) {
    const Controller* const controller = controller_of(*event);
    if (controller == nullptr) continue;
    RefusedGroup& group = groups[{controller->kind, event->ns}];
    group.controller = controller;
    group.ns = event->ns;
    group.owners.insert_or_assign(event->object, refused_owner_of(*event));
  }
  return groups;
}

std::string path_of(const RefusedGroup& group) {
  const WorkloadKind& kind = *workload_kind(group.controller->kind, group.controller->api_version);
  return std::string(kind.group.empty() ? "/api/" : "/apis/") +
         std::string(group.controller->api_version) + "/namespaces/" + percent_encoded(group.ns) +
         "/" + std::string(kind.plural);
}

/// Empty where it has none.
std::string name_of(const nlohmann::json& object) {
  static const nlohmann::json::json_pointer kName("/metadata/name");
  return object.contains(kName) && object[kName].is_string() ? object[kName].get<std::string>()
                                                             : std::string();
}

/// Reads groups in one batch, and knows which reply is about whom.
class RefusedReader {
 public:
  /// For so many owners; where these are many, all groups are read by lists.
  RefusedReader(CollectContext& reading, std::size_t owners)
      : most_gets_(owners > kMostRefusedRequests ? 1 : kMostRefusedGets),
        reading_(reading),
        batch_(reading.client(), "application/json",
               [&reading](auto bytes) { reading.count_bytes(bytes); }) {}

  /// False where that are too many requests.
  bool add(RefusedGroup& group) {
    const bool is_list = group.owners.size() > most_gets_;
    if (asked_.size() + (is_list ? 1 : group.owners.size()) > kMostRefusedRequests) return false;
    const std::string kind(group.controller->kind);
    if (is_list) {
      batch_.add(list_path(path_of(group), {}),
                 ItemReader::of_objects(kind + "List", taker_of(group)));
      asked_.push_back({&group, {}});
      return true;
    }
    for (const auto& [name, owner] : group.owners) {
      batch_.add(list_path(path_of(group) + "/" + percent_encoded(name), {}),
                 ItemReader::of_objects(kind, taker_of(group)));
      asked_.push_back({&group, name});
    }
    return true;
  }

  /// False where something may not be read.
  bool run() {
    const std::vector<Reply> replies = batch_.run();
    bool is_whole = true;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const Reply& reply = replies.at(i);
      if (reply.error) throw error_of(reply, reading_.client().connection());
      const auto& [group, name] = asked_[i];
      if (!reply.ok() && !(reply.status == 404 && says_object_is_gone(reply, name)))
        is_whole = false;
      else
        conclude(*group, name);
    }
    return is_whole;
  }

 private:
  ItemReader::OnObject taker_of(RefusedGroup& group) {
    return [this, &group](const nlohmann::json& object) {
      try {
        const std::string name = name_of(object);
        const auto found = group.owners.find(name);
        if (found == group.owners.end()) return;
        reading_.tell(object, group.controller->api_version, group.controller->kind);
        seen_.insert({&group, name});
        take_refused_owner(found->second, object, group.controller->api_version);
      } catch (const Error& error) {
        // What it wants is then not known.
        if (error.kind() != ErrorKind::data) throw;
      }
    };
  }

  /// What was answered and not seen is gone.
  void conclude(RefusedGroup& group, const std::string& only) {
    for (auto& [name, owner] : group.owners) {
      if (!only.empty() && name != only) continue;
      if (!seen_.contains({&group, name})) owner.is_gone = true;
      reading_.snapshot().scheduling.refused_owners.push_back(std::move(owner));
    }
  }

  std::size_t most_gets_;
  CollectContext& reading_;
  ListBatch batch_;
  std::vector<std::pair<RefusedGroup*, std::string>>
      asked_;  ///< by reply; no name: all of the group
  std::set<std::pair<const RefusedGroup*, std::string>> seen_;
};

}  // namespace

bool wants_refused_owners(const Needs& needs) {
  const bool is_of_quota = needs.kinds_of_all_pods || needs.on_object;
  return is_of_quota && needs.owners && needs.kinds.contains(ObjectKind::event);
}

std::vector<const Event*> newest_refusals(const SchedulingFacts& facts) {
  using Object = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::map<Object, const Event*> newest;
  for (const Event& event : facts.events) {
    const bool is_refused = event.reason == "FailedCreate";
    if (!is_refused && event.reason != "SuccessfulCreate") continue;
    const Event*& known = newest[{event.ns, event.kind, event.object}];
    // Of two at once the refusal.
    const bool is_newer =
        known == nullptr || known->last < event.last || (known->last == event.last && is_refused);
    if (is_newer) known = &event;
  }
  std::vector<const Event*> refused;
  for (const auto& [object, event] : newest)
    if (event->reason == "FailedCreate") refused.push_back(event);
  return refused;
}

const WorkloadKind* kind_refused(const Event& event) {
  const Controller* const controller = controller_of(event);
  return controller == nullptr ? nullptr : workload_kind(controller->kind, controller->api_version);
}

RefusedOwner refused_owner_of(const Event& event) {
  return {.ns = event.ns,
          .kind = event.kind,
          .name = event.object,
          .uid = event.object_uid,
          .is_gone = false,
          .wanted = {},
          .controller = {}};
}

void take_refused_owner(RefusedOwner& owner, const nlohmann::json& object,
                        std::string_view api_version) {
  decode::ControlledObject read = decode::controlled_object_from_json(object);
  owner.is_gone = !owner.uid.empty() && !read.uid.empty() && owner.uid != read.uid;
  if (owner.is_gone) return;
  owner.uid = std::move(read.uid);
  owner.controller = std::move(read.controller);
  owner.wanted = decode::wanted_pods_of(object, owner.kind, api_version);
}

void read_refused_owners(CollectContext& reading) {
  SchedulingFacts& facts = reading.snapshot().scheduling;
  RefusedGroups groups = groups_of(facts);
  std::size_t owners = 0;
  for (const auto& [key, group] : groups) owners += group.owners.size();
  RefusedReader reader(reading, owners);
  bool is_whole = true;
  for (auto& [key, group] : groups) is_whole = reader.add(group) && is_whole;
  is_whole = reader.run() && is_whole;
  facts.coverages[std::string(kRefusedOwners)] = is_whole ? Coverage::whole : Coverage::partial;
}

}  // namespace gpu::kube
