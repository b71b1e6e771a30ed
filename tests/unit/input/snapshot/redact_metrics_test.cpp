#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/snapshot/redact.hpp"
#include "input/snapshot/trim.hpp"

namespace gpu::input::snapshot_redact_metrics_test {
namespace {

using nlohmann::json;

std::vector<json> redacted(const std::vector<json>& objects) {
  Redactor redactor;
  std::vector<json> kept;
  for (const json& object : objects)
    if (auto one = trimmed(object, object.at("apiVersion").get<std::string>(),
                           object.at("kind").get<std::string>()))
      kept.push_back(*one);
  REQUIRE(kept.size() == objects.size());
  for (const json& object : kept) redactor.learn(object);
  redactor.settle();
  std::vector<json> shown;
  for (const json& object : kept) shown.push_back(redactor.redacted(object));
  return shown;
}

json scrape(const std::vector<json>& labels) {
  json object = json::parse(R"({"apiVersion": "kubectl-gpu/v1", "kind": "Scrape",
    "metadata": {"name": "gpu-operator/acme-exporter"}, "source": "exporter", "node": "acme-n1",
    "exporter": "gpu-operator/acme-exporter", "readAt": "2026-11-01T12:00:00Z", "series": []})");
  for (const json& each : labels)
    object["series"].push_back(
        {{"name", "DCGM_FI_DEV_GPU_UTIL"}, {"labels", each}, {"value", 97.5}});
  return object;
}

/// What becomes of these labels of one series, beside a node, a pod and its card.
json labels_of(const json& labels) {
  const std::vector<json> shown = redacted(
      {json::parse(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "acme-n1"}})"),
       json::parse(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "acme-p",
         "namespace": "acme-ns", "uid": "feed0003-0000-0000-0000-000000000000"},
         "status": {"podIP": "10.9.1.2", "containerStatuses": [{"name": "acme-c",
           "allocatedResourcesStatus": [{"name": "nvidia.com/gpu", "resources": [
             {"resourceID": "GPU-feed0002-0000-0000-0000-000000000000"}]}]}]}})"),
       scrape({labels})});
  CHECK(shown[1]["metadata"]["name"] == "pod-0002");
  CHECK(shown[1]["status"]["podIP"] == "10.100.100.101");
  return shown[2]["series"][0]["labels"];
}

std::string card() { return "00000000-0000-4000-8000-000000000001"; }

}  // namespace

TEST_CASE("redact: a scrape is of the node and the pod that these names are elsewhere") {
  const json shown = redacted({scrape({}), scrape({{{"gpu", "0"}}})})[1];
  CHECK(shown["node"] == "node-001");
  CHECK(shown["exporter"] == "gpu-operator/pod-0001");
  CHECK(shown["metadata"]["name"] == "gpu-operator/pod-0001");
  CHECK(shown["source"] == "exporter");
  CHECK(shown["readAt"] == "2026-11-01T12:00:00Z");
  CHECK(shown["series"] == json::parse(R"([{"name": "DCGM_FI_DEV_GPU_UTIL",
    "labels": {"gpu": "0"}, "value": 97.5}])"));
  CHECK(redacted({scrape({})})[0]["series"] == json::array());
}

TEST_CASE("redact: a pod, its namespace and container are the same in labels, by any name") {
  const auto [ns, pod, container] = GENERATE(table<std::string, std::string, std::string>(
      {{"namespace", "pod", "container"},
       {"exported_namespace", "exported_pod", "exported_container"},
       {"pod_namespace", "pod_name", "container_name"},
       {"podnamespace", "podname", "ctrname"},
       {"kube_namespace", "kube_pod", "kube_container"}}));
  CHECK(labels_of({{ns, "acme-ns"}, {pod, "acme-p"}, {container, "acme-c"}}) ==
        json({{ns, "a-ns-01"}, {pod, "pod-0002"}, {container, "container-01"}}));
}

TEST_CASE("redact: a card has one id in labels too, in whatever form it is written") {
  CHECK(labels_of({{"UUID", "GPU-feed0002-0000-0000-0000-000000000000"}})["UUID"] ==
        "GPU-" + card());
  CHECK(labels_of({{"uuid", "FEED0002-0000-0000-0000-000000000000"}})["uuid"] == card());
  CHECK(labels_of({{"gpu_uuid", "gpu-feed0002-0000-0000-0000-000000000000"}})["gpu_uuid"] ==
        "gpu-" + card());
  CHECK(labels_of({{"uuid", "MIG-GPU-feed0002-0000-0000-0000-000000000000/7/0"}})["uuid"] ==
        "MIG-GPU-" + card() + "/7/0");
  const json other = labels_of({{"UUID", "GPU-feed0009-0000-0000-0000-000000000000"}});
  CHECK(other["UUID"] == "GPU-00000000-0000-4000-8000-000000000003");
  CHECK(labels_of({{"serial_number", "acme-1"}})["serial_number"] ==
        "00000000-0000-4000-8000-000000000001");
}

TEST_CASE("redact: what is called a host is a node, a pod, or neither") {
  CHECK(labels_of({{"Hostname", "acme-n1"}})["Hostname"] == "node-001");
  CHECK(labels_of({{"hostname", "acme-exporter"}})["hostname"] == "pod-0001");
  CHECK(labels_of({{"Hostname", "acme.example"}})["Hostname"] == "host-001");
  CHECK(labels_of({{"instance", "10.9.1.2:9400"}})["instance"] == "10.100.100.101:9400");
  CHECK(labels_of({{"instance", "[fd00::acce]:9400"}})["instance"] == "10.100.100.102:9400");
  CHECK(labels_of({{"instance", "acme-n1:9100"}})["instance"] == "node-001:9100");
  CHECK(labels_of({{"instance", "acme"}})["instance"] == "host-001");
}

TEST_CASE("redact: labels that nobody reads are dropped, sentences are hidden") {
  CHECK(labels_of({{"team", "acme"},
                   {"acme_com_team", "acme"},
                   {"job", "acme"},
                   {"endpoint", "acme"},
                   {"err_msg", "acme"}}) == json::object());
  CHECK(labels_of({{"modelName", "acme; \"secret\""}})["modelName"] == "value-001");
  CHECK(labels_of({{"hpc_job", "acme"}})["hpc_job"] == "value-001");
  CHECK(labels_of({{"pci_bus_id", "acme"}})["pci_bus_id"] == "value-001");
  CHECK(labels_of({{"DCGM_FI_DRIVER_VERSION", "570.86.15-acme"}})["DCGM_FI_DRIVER_VERSION"] ==
        "570.86.15");
}

TEST_CASE("redact: what tells of the card stays") {
  const json open = {{"gpu", "0"},
                     {"device", "nvidia0"},
                     {"modelName", "NVIDIA H100 80GB HBM3"},
                     {"GPU_I_ID", "7"},
                     {"GPU_I_PROFILE", "1g.10gb"},
                     {"pci_bus_id", "00000000:0F:00.0"},
                     {"vgpu", "3"},
                     {"card_series", "AMD Instinct MI300X"},
                     {"gpu_partition_id", "NA"},
                     {"dra_device_name", "gpu-0"},
                     {"dra_driver_name", "gpu.nvidia.com"}};
  CHECK(labels_of(open) == open);
}

TEST_CASE("redact: values that are no numbers stay, other text goes") {
  json object = scrape({json::object(), json::object(), json::object()});
  object["series"][0]["value"] = "NaN";
  object["series"][1]["value"] = "-Inf";
  object["series"][2]["value"] = "acme";
  const json shown = redacted({object})[0]["series"];
  CHECK(shown[0]["value"] == "NaN");
  CHECK(shown[1]["value"] == "-Inf");
  CHECK_FALSE(shown[2].contains("value"));
}

TEST_CASE("redact: a scrape that was redacted stays as it is") {
  const json labels = {
      {"Hostname", "zz-acme"},    {"pod", "acme-p"},           {"instance", "10.9.1.2:1"},
      {"modelName", "a; b"},      {"UUID", "GPU-feedacme"},    {"serial", "ab"},
      {"exported_pod", "acme-q"}, {"namespace", "acme"},       {"hostname", "a-acme"},
      {"node", "acme-n1"},        {"exported_node", "0-acme"}, {"dra_pool_name", "acme-n1"}};
  const std::vector<json> once =
      redacted({json::parse(R"({"apiVersion": "v1", "kind": "Node",
                  "metadata": {"name": "acme-n1"}})"),
                scrape({labels, {{"node", "zz-acme"}, {"instance", "zz-acme:5"}}})});
  INFO(once[1].dump(1));
  CHECK(once[1].dump().find("acme") == std::string::npos);
  CHECK(redacted(once) == once);
}

}  // namespace gpu::input::snapshot_redact_metrics_test
