#include "kube/collect/wanted_pods.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text.hpp"
#include "decode/objects/controller.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube {
namespace {

/// More are rare, and a GET each.
constexpr std::size_t kMostControllers = 16;

std::string path_of_controller(const ControlledPods& pods, const WorkloadKind& kind) {
  return (kind.group.empty() ? "/api/" : "/apis/") + pods.controller.api_version + "/namespaces/" +
         percent_encoded(pods.ns) + "/" + std::string(kind.plural) + "/" +
         percent_encoded(pods.controller.name);
}

}  // namespace

void read_wanted_pods(CollectContext& reading) {
  ListBatch batch(reading.client(), "application/json",
                  [&reading](std::size_t bytes) { reading.count_bytes(bytes); });
  ControlledPodsByUid& all = reading.snapshot().controlled;
  for (const auto& [uid, pods] : all) {
    if (batch.size() == kMostControllers) break;
    const WorkloadKind* const kind =
        workload_kind(pods.controller.kind, pods.controller.api_version);
    if (pods.failed.empty() || kind == nullptr) continue;
    const std::string& api_version = pods.controller.api_version;
    const auto take = [&, kind](const nlohmann::json& object) {
      reading.tell(object, api_version, kind->kind);
      const auto at = all.find(decode::controlled_object_from_json(object).uid);
      if (at != all.end())
        at->second.wanted = decode::wanted_pods_of(object, kind->kind, api_version);
    };
    batch.add(list_path(path_of_controller(pods, *kind), {}),
              ItemReader::of_objects(std::string(kind->kind), take));
  }
  batch.run();
}

}  // namespace gpu::kube
