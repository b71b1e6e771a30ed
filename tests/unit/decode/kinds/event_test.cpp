#include "decode/kinds/event.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace gpu::decode::kinds_event_test {
namespace {

std::string kind_of_object(const std::string& api_version, const std::string& kind) {
  const nlohmann::json about = {{"apiVersion", api_version}, {"kind", kind}, {"name", "x"}};
  const nlohmann::json event = {{"metadata", {{"namespace", "ml"}, {"name", "e"}}}};
  nlohmann::json old = event;
  old["involvedObject"] = about;
  nlohmann::json now = event;
  now["regarding"] = about;
  CHECK(event_from_json(old).kind == event_from_json(now).kind);
  return event_from_json(old).kind;
}

}  // namespace

TEST_CASE("an event about another group's Node or Pod is about none of Kubernetes' own") {
  CHECK(kind_of_object("v1", "Pod") == "Pod");
  CHECK(kind_of_object("", "Pod") == "Pod");
  CHECK(kind_of_object("edge.example/v1", "Pod") == "Pod.edge.example");
  CHECK(kind_of_object("longhorn.io/v1beta2", "Node") == "Node.longhorn.io");
  CHECK(kind_of_object("batch/v1", "Job") == "Job");
  // Volcano's Jobs make pods, and are asked for by their kind.
  CHECK(kind_of_object("batch.volcano.sh/v1alpha1", "Job") == "Job");
  CHECK(kind_of_object("kueue.x-k8s.io/v1beta1", "Workload") == "Workload");
}

}  // namespace gpu::decode::kinds_event_test
