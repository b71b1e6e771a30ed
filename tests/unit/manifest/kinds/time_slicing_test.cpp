#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_time_slicing_test {
namespace {

GenOptions sharing(std::optional<std::int64_t> replicas) {
  GenOptions options;
  options.name = "time-slicing-config";
  options.replicas = replicas;
  return options;
}

}  // namespace

TEST_CASE("time-slicing is a text of the device plugin's in the operator's namespace") {
  const Generated made_map = made("time-slicing", sharing(4));
  const Tree& object = made_map.documents.front();
  CHECK(text_at(object, "kind") == "ConfigMap");
  CHECK(text_at(object, "metadata") == "{name: time-slicing-config, namespace: gpu-operator}");
  CHECK(std::get<std::string>(at(object, "data.any")->value()) ==
        "version: v1\n"
        "sharing:\n"
        "  timeSlicing:\n"
        "    renameByDefault: true\n"
        "    failRequestsGreaterThanOne: true\n"
        "    resources:\n"
        "    - {name: nvidia.com/gpu, replicas: 4}\n");
  CHECK(is_read_back(made_map.documents));
}

TEST_CASE("time-slicing says the patch that switches it on") {
  const Generated made_map = made("time-slicing", sharing(4));
  REQUIRE(made_map.notes.size() == 1);
  CHECK(made_map.notes[0].command ==
        R"(kubectl patch clusterpolicies.nvidia.com cluster-policy --type merge -p )"
        R"('{"spec":{"devicePlugin":{"config":{"name":"time-slicing-config","default":"any"}}}}')");
}

TEST_CASE("time-slicing goes where --namespace says") {
  GenOptions options = sharing(2);
  options.ns = "nvidia";
  CHECK(text_at(made("time-slicing", options).documents.front(), "metadata.namespace") == "nvidia");
}

TEST_CASE("time-slicing needs at least two replicas") {
  CHECK(refusal("time-slicing", sharing(std::nullopt)) == "how many pods share a card is not said");
  CHECK(refusal("time-slicing", sharing(1)) == "a card cannot be shared by 1");
  CHECK(refusal("time-slicing", sharing(1001)) == "a card cannot be shared by 1001");
}

}  // namespace gpu::manifest::test::kinds_time_slicing_test
