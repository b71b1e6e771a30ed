/// Judges pods as `why-pending` does: one JSON line in, one JSON line out. In: id, version, pod
/// ("NS/NAME"), objects. Out: id, fits, message, nodes (all reasons of each), first (those at which
/// the scheduler stops), rejections, error, preemption_nodes, notChecked. A line that cannot be
/// read gives id and failure.
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/time.hpp"
#include "decode/kinds/kind_info.hpp"
#include "decode/objects/device_class.hpp"
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/resource_claim.hpp"
#include "decode/objects/resource_slice.hpp"
#include "model/snapshot/snapshot.hpp"
#include "scheduler/cycle/judge.hpp"

namespace {

using namespace gpu;
using Json = nlohmann::ordered_json;

void take(const nlohmann::json& object, Snapshot& snapshot, Fold& fold) {
  const std::string kind = object.at("kind").get<std::string>();
  if (kind == "Node") {
    fold.add(decode::node_from_json(object));
  } else if (kind == "Pod") {
    fold.add(decode::pod_from_json(object));
  } else if (kind == "ResourceSlice") {
    ResourceSlice slice = decode::resource_slice_from_json(object);
    auto& slices = is_gpu_driver(slice.driver) ? snapshot.slices : snapshot.scheduling.other_slices;
    slices.push_back(std::move(slice));
  } else if (kind == "ResourceClaim") {
    snapshot.claims.push_back(decode::resource_claim_from_json(object));
  } else if (kind == "DeviceClass") {
    snapshot.device_classes.push_back(decode::device_class_from_json(object));
  } else {
    decode::take_object(object, snapshot.scheduling);
  }
}

/// Everything there is: a scenario is a whole cluster.
Snapshot snapshot_of(const nlohmann::json& scenario) {
  Snapshot snapshot{.server_version = scenario.at("version").get<std::string>()};
  // Whenever a scenario is played, its times are long past or far ahead.
  snapshot.taken_at = parse_time("2066-01-01T00:00:00Z");
  snapshot.node_coverage = snapshot.pod_coverage = snapshot.slice_coverage =
      snapshot.claim_coverage = Coverage::whole;
  for (const char* kind :
       {"namespaces", "persistentvolumeclaims", "persistentvolumes", "storageclasses", "csinodes",
        "csidrivers", "csistoragecapacities", "volumeattachments", "resourceslices",
        "resourceclaims", "resourceclaimtemplates", "deviceclasses", "priorityclasses"})
    snapshot.scheduling.coverages.emplace(kind, Coverage::whole);
  Fold fold(snapshot, [](const Pod&) { return true; });
  for (const nlohmann::json& object : scenario.at("objects")) take(object, snapshot, fold);
  fold.finish();
  decode::sort_facts(snapshot.scheduling);
  return snapshot;
}

const Pod& pod_named(const Snapshot& snapshot, const std::string& name) {
  for (const Pod& pod : snapshot.pods)
    if (pod.ns + "/" + pod.name == name) return pod;
  throw Error(ErrorKind::data, "no pod " + name + " among the objects");
}

Json reasons_of(const scheduler::Verdict& verdict,
                const std::vector<scheduler::FilterFailure>& blockers) {
  Json reasons = Json::array();
  for (const scheduler::FilterFailure& blocker : blockers)
    reasons.push_back(verdict.reasons[blocker.reason]);
  return reasons;
}

Json answer_to(const nlohmann::json& scenario) {
  const Snapshot snapshot = snapshot_of(scenario);
  const Pod& pod = pod_named(snapshot, scenario.at("pod").get<std::string>());
  const scheduler::Cluster cluster(snapshot);
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  Json answer;
  answer["fits"] = verdict.fits();
  answer["message"] = scheduler::predicted_message(cluster, pod, verdict);
  Json& nodes = answer["nodes"] = Json::object();
  Json& first = answer["first"] = Json::object();
  for (const scheduler::NodeVerdict& node : verdict.nodes) {
    const std::string& name = snapshot.nodes[node.node].name;
    const std::vector<scheduler::FilterFailure>& blockers = verdict.blockers_of(node);
    nodes[name] = reasons_of(verdict, blockers);
    first[name] = node.is_left_out ? Json::array() : reasons_of(verdict, first_of(blockers));
  }
  Json& rejections = answer["rejections"] = Json::array();
  for (const scheduler::PodRejection& each : verdict.rejections) rejections.push_back(each.message);
  answer["error"] = verdict.error ? Json(*verdict.error) : Json();
  Json& preemption = answer["preemption_nodes"] = Json::array();
  if (!verdict.fits() && !verdict.error)
    for (const std::size_t node : scheduler::preempt(cluster, pod, verdict).nodes)
      preemption.push_back(snapshot.nodes[node].name);
  answer["notChecked"] = verdict.not_checked;
  return answer;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty()) continue;
    Json out;
    try {
      const auto scenario = nlohmann::json::parse(line);
      out["id"] = scenario.at("id");
      out.update(answer_to(scenario));
    } catch (const Error& error) {
      out["failure"] = error.message();
    } catch (const std::exception& error) {
      out["failure"] = error.what();
    }
    std::cout << out.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n" << std::flush;
  }
  return 0;
}
