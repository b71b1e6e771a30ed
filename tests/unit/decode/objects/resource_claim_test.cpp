#include "decode/objects/resource_claim.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "decode/error_of.hpp"

namespace gpu::decode::objects_resource_claim_test {

namespace {

using nlohmann::json;

constexpr std::string_view kClaim = R"({
  "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
  "metadata": {"namespace": "ml", "name": "train-0-gpu-x7k2p", "uid": "u-1",
      "deletionTimestamp": "2026-11-01T10:00:00Z", "ownerReferences": [
        {"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "o-1"},
        {"apiVersion": "v1", "kind": "Pod", "name": "train-0", "uid": "p-1", "controller": true}]},
  "spec": {"devices": {
    "requests": [
      {"name": "big", "exactly": {"deviceClassName": "gpu.nvidia.com", "allocationMode":
          "ExactCount", "count": 4, "selectors": [{"cel": {"expression": "true"}}],
          "capacity": {"requests": {"gpu.nvidia.com/memory": "10Gi"}}, "tolerations": [
            {"key": "gpu.nvidia.com/xid", "operator": "Exists", "effect": "NoSchedule"}]}},
      {"name": "all", "exactly": {"deviceClassName": "mig.nvidia.com", "allocationMode": "All",
                                  "adminAccess": true}},
      {"name": "any", "firstAvailable": [
          {"name": "h100", "deviceClassName": "h100", "count": 2},
          {"name": "a100", "deviceClassName": "a100", "count": 3,
           "selectors": [{"cel": {"expression": "false"}}]}]}],
    "constraints": [{"requests": ["big", "any"],
                     "matchAttribute": "resource.kubernetes.io/pcieRoot"},
                    {"distinctAttribute": "gpu.nvidia.com/uuid"}]}},
  "status": {
    "allocation": {"devices": {"results": [
      {"request": "big", "driver": "gpu.nvidia.com", "pool": "node-a", "device": "gpu-0",
       "shareID": "s-1", "consumedCapacity": {"gpu.nvidia.com/memory": "10Gi", "other": "1"}},
      {"request": "any/h100", "driver": "gpu.nvidia.com", "pool": "node-a", "device": "gpu-1",
       "adminAccess": true}]},
      "nodeSelector": {"nodeSelectorTerms": [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]}]}},
    "reservedFor": [
      {"resource": "pods", "name": "train-0", "uid": "p-1"},
      {"apiGroup": "example.com", "resource": "pods", "name": "not-a-pod", "uid": "p-2"},
      {"resource": "podgroups", "name": "gang", "uid": "p-3"}]}})";

ResourceClaim sample() {
  ResourceClaim claim{.ns = "ml", .name = "train-0-gpu-x7k2p", .uid = "u-1"};
  claim.deleted = parse_time("2026-11-01T10:00:00Z");
  claim.owner_uid = "p-1";
  claim.requests = {{"big", "gpu.nvidia.com", 4, false, false},
                    {"all", "mig.nvidia.com", 1, true, true},
                    {"any", "h100", 2, false, false}};
  claim.requests[0].selectors = {"true"};
  claim.requests[0].tolerations = {{"gpu.nvidia.com/xid", "Exists", "", "NoSchedule"}};
  claim.requests[0].capacity = {{"gpu.nvidia.com/memory", *Quantity::parse("10Gi")}};
  claim.requests[2].alternatives = {{"h100", "h100", 2}, {"a100", "a100", 3}};
  claim.requests[2].alternatives[1].selectors = {"false"};
  claim.constraints = {{{"big", "any"}, "resource.kubernetes.io/pcieRoot", ""},
                       {{}, "", "gpu.nvidia.com/uuid"}};
  claim.node_selector = NodeSelector{{{}, {{"metadata.name", "In", {"node-a"}}}}};
  claim.is_allocated = true;
  claim.devices = {{{"gpu.nvidia.com", "node-a", "gpu-0"},
                    "big",
                    false,
                    "s-1",
                    {{"memory", *Quantity::parse("10Gi")}, {"other", Quantity::of(1)}}},
                   {{"gpu.nvidia.com", "node-a", "gpu-1"}, "any/h100", true, "", {}}};
  claim.reserved_for = {{"train-0", "p-1"}};
  claim.is_reserved_for_others = true;
  return claim;
}

ResourceClaim from_json(std::string_view text) {
  return resource_claim_from_json(json::parse(text));
}

}  // namespace

TEST_CASE("a claim reads the same in every version") {
  json claim = json::parse(kClaim);
  CHECK(resource_claim_from_json(claim) == sample());
  claim["apiVersion"] = "resource.k8s.io/v1beta1";
  for (json& request : claim["spec"]["devices"]["requests"]) {
    if (!request.contains("exactly")) continue;
    const json exactly = request["exactly"];
    request.erase("exactly");
    request.update(exactly);
  }
  CHECK(resource_claim_from_json(claim) == sample());
}

TEST_CASE("a claim that is not allocated yet, and one that holds nothing") {
  CHECK_FALSE(from_json(R"({"status":{}})").is_allocated);
  CHECK_FALSE(from_json(R"({"status":{"allocation":null}})").is_allocated);
  CHECK(from_json(R"({"status":{"allocation":{}}})").is_allocated);
  CHECK(from_json(R"({"status":{"allocation":{"devices":{"results":null}}}})").devices.empty());
}

TEST_CASE("what a device waits for before its pod is bound, and what its driver says of that") {
  const ResourceClaim claim = from_json(R"({"status":{
      "allocation":{"allocationTimestamp":"2026-11-01T10:00:00Z","devices":{"results":[
        {"driver":"d","pool":"p","device":"x","bindingConditions":["Ready"],
         "bindingFailureConditions":["Failed"]},
        {"driver":"d","pool":"p","device":"y"}]}},
      "devices":[
        {"driver":"d","pool":"p","device":"x","shareID":"1","conditions":[
          {"type":"Ready","status":"False","reason":"Attaching","message":"soon",
           "lastTransitionTime":"2026-11-01T10:00:01Z"}]},
        {"driver":"d","pool":"p","device":"x","shareID":"2","conditions":[{"type":"Failed"}]},
        {"driver":"other","pool":"p","device":"y","conditions":[{"type":"Ready"}]}]}})");
  CHECK(claim.allocated_at == parse_time("2026-11-01T10:00:00Z"));
  REQUIRE(claim.devices.size() == 2);
  CHECK(claim.devices[0].binding_conditions == std::vector<std::string>{"Ready"});
  CHECK(claim.devices[0].binding_failure_conditions == std::vector<std::string>{"Failed"});
  CHECK(claim.devices[0].conditions ==
        std::vector<Condition>{
            {"Ready", "False", "Attaching", "soon", parse_time("2026-11-01T10:00:01Z")}});
  CHECK(claim.devices[1].conditions.empty());
}

TEST_CASE("a template makes claims of what stands in its spec's spec") {
  json made = json::parse(kClaim);
  made["spec"] = {{"spec", made["spec"]}};
  const ClaimTemplate read = claim_template_from_json(made);
  CHECK(read == ClaimTemplate{"ml", "train-0-gpu-x7k2p", sample().requests, sample().constraints});
  CHECK(claim_template_from_json(json::object()) == ClaimTemplate{});
  CHECK(error_of([] { claim_template_from_json(json::parse(R"({"spec":{"spec":1}})")); }) ==
        "ResourceClaimTemplate: spec.spec: expected an object, got number");
}

TEST_CASE("null, empty and absent are the same in a claim") {
  for (const std::string_view text : {R"({})", R"({"metadata":null,"spec":null,"status":null})",
                                      R"({"spec":{"devices":null},"status":{"reservedFor":null}})",
                                      R"({"spec":{"devices":{"requests":[]}}})"}) {
    INFO(text);
    CHECK(from_json(text) == ResourceClaim{});
  }
  CHECK(from_json(R"({"spec":{"devices":{"requests":[{"name":"r","firstAvailable":[]}]}}})")
            .requests.at(0) == DeviceRequest{.name = "r"});
}

TEST_CASE("what is wrong in a claim is an error that names the place") {
  CHECK(error_of([] { from_json("7"); }) == "ResourceClaim: expected an object, got number");
  CHECK(error_of([] {
          from_json(R"({"metadata":{"namespace":"ml","name":"c"},
              "status":{"allocation":{"devices":{"results":[{},{"adminAccess":1}]}}}})");
        }) ==
        "ResourceClaim ml/c: status.allocation.devices.results[1].adminAccess: expected true "
        "or false, got number");
}

}  // namespace gpu::decode::objects_resource_claim_test
