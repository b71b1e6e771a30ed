#include "kube/collect/refused_owners.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
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

/// Each costs a GET; of more the events alone are known.
constexpr std::size_t kMostRefused = 64;

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

std::string path_of(const Event& event, const WorkloadKind& kind, std::string_view api_version) {
  return std::string(kind.group.empty() ? "/api/" : "/apis/") + std::string(api_version) +
         "/namespaces/" + percent_encoded(event.ns) + "/" + std::string(kind.plural) + "/" +
         percent_encoded(event.object);
}

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
  const std::vector<const Event*> refusals = newest_refusals(facts);
  std::vector<RefusedOwner> found;
  ListBatch batch(reading.client(), "application/json",
                  [&reading](std::size_t bytes) { reading.count_bytes(bytes); });
  bool is_whole = true;
  for (const Event* event : refusals) {
    const WorkloadKind* const kind = kind_refused(*event);
    if (kind != nullptr) found.push_back(refused_owner_of(*event));
    if (found.size() == kMostRefused) is_whole = false;
    if (found.size() == kMostRefused) break;
  }
  for (RefusedOwner& owner : found) {
    const Event event{.ns = owner.ns, .kind = owner.kind, .object = owner.name};
    const Controller& controller = *controller_of(event);
    const auto take = [&reading, &owner, &controller](const nlohmann::json& object) {
      reading.tell(object, controller.api_version, controller.kind);
      try {
        take_refused_owner(owner, object, controller.api_version);
      } catch (const Error& error) {
        // What it wants is then not known.
        if (error.kind() != ErrorKind::data) throw;
      }
    };
    batch.add(list_path(path_of(event, *kind_refused(event), controller.api_version), {}),
              ItemReader::of_objects(std::string(controller.kind), take));
  }
  const std::vector<Reply> replies = batch.run();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Reply& reply = replies.at(i);
    if (reply.error) throw error_of(reply, reading.client().connection());
    const bool is_gone = reply.status == 404 && says_object_is_gone(reply, found[i].name);
    is_whole = is_whole && (reply.ok() || is_gone);
    if (is_gone) found[i].is_gone = true;
    if (reply.ok() || is_gone) facts.refused_owners.push_back(std::move(found[i]));
  }
  facts.coverages[std::string(kRefusedOwners)] = is_whole ? Coverage::whole : Coverage::partial;
}

}  // namespace gpu::kube
