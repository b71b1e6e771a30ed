#include "decode/objects/controller.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "decode/error_of.hpp"

namespace gpu::decode::objects_controller_test {
namespace {

ControlledObject from_json(std::string_view text) {
  return controlled_object_from_json(nlohmann::json::parse(text));
}

}  // namespace

TEST_CASE("the controller is the owner that says so") {
  const ControlledObject object = from_json(R"({"kind":"PartialObjectMetadata",
      "metadata":{"name":"web-5d","namespace":"ml","uid":"u-1","ownerReferences":[
        {"apiVersion":"v1","kind":"ConfigMap","name":"c","uid":"u-2"},
        {"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"u-3","controller":true}]}})");
  CHECK(object.uid == "u-1");
  REQUIRE(object.controller);
  CHECK(*object.controller == OwnerReference{"Deployment", "web", "u-3", "apps/v1", true});
}

TEST_CASE("how many pods an object wants stands in its spec") {
  const auto wanted = [](std::string_view kind, std::string_view api, std::string_view text) {
    return wanted_pods_of(nlohmann::json::parse(text), kind, api);
  };
  CHECK(wanted("ReplicaSet", "apps/v1", R"({"spec":{"replicas":3}})") == 3);
  CHECK(wanted("ReplicaSet", "apps/v1", R"({"spec":{"replicas":"3"}})") == std::nullopt);
  CHECK(wanted("Other", "apps/v1", R"({"spec":{"replicas":3}})") == std::nullopt);
  CHECK(wanted("Job", "batch/v1", R"({"spec":{"parallelism":4}})") == 4);
  CHECK(wanted("Job", "batch/v1", R"({"spec":{"parallelism":4,"completions":4},
                                      "status":{"succeeded":1}})") == 3);
  CHECK(wanted("Job", "batch/v1", R"({"spec":{"suspend":true}})") == 0);
  CHECK(wanted("Job", "batch.volcano.sh/v1alpha1", R"({"spec":{}})") == std::nullopt);
}

TEST_CASE("an object that has ended wants no pods") {
  const auto wanted = [](std::string type, std::string status) {
    const nlohmann::json condition = {{"type", type}, {"status", status}};
    const nlohmann::json object = {
        {"spec", {{"parallelism", 2}}},
        {"status", {{"conditions", nlohmann::json::array({condition})}}}};
    return wanted_pods_of(object, "Job", "batch/v1");
  };
  CHECK(wanted("Complete", "True") == 0);
  CHECK(wanted("Failed", "True") == 0);
  CHECK(wanted("Failed", "False") == 2);
  CHECK(wanted("Suspended", "True") == 2);
}

TEST_CASE("an object without a controller has none") {
  CHECK(from_json(R"({"metadata":{"uid":"u","ownerReferences":[{"kind":"A","uid":"b"}]},
                      "spec":{"replicas":3}})") == ControlledObject{"u", std::nullopt});
  CHECK(from_json("{}") == ControlledObject{});
  CHECK(error_of([] { from_json(R"({"metadata":7})"); }) ==
        "object: metadata: expected an object, got number");
}

}  // namespace gpu::decode::objects_controller_test
