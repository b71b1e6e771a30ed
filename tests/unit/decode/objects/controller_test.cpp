#include "decode/objects/controller.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "decode/error_of.hpp"

namespace gpu::decode {
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

TEST_CASE("how many pods it wants stands in its spec, where that is read") {
  CHECK(from_json(R"({"metadata":{"uid":"u"},"spec":{"replicas":3}})").replicas == 3);
  CHECK(from_json(R"({"metadata":{"uid":"u"},"spec":{}})").replicas == std::nullopt);
  CHECK(has_replicas("StatefulSet"));
  CHECK_FALSE(has_replicas("Job"));
}

TEST_CASE("an object without a controller has none") {
  CHECK(from_json(R"({"metadata":{"uid":"u","ownerReferences":[{"kind":"A","uid":"b"}]},
                      "spec":{"replicas":"3"}})") == ControlledObject{"u", std::nullopt});
  CHECK(from_json("{}") == ControlledObject{});
  CHECK(error_of([] { from_json(R"({"metadata":7})"); }) ==
        "object: metadata: expected an object, got number");
}

}  // namespace gpu::decode
