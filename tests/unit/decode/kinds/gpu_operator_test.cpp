#include "decode/kinds/gpu_operator.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace kinds_gpu_operator_test {

using namespace gpu;
using namespace gpu::decode;
using nlohmann::json;

namespace {

std::optional<PluginConfig> config(const std::string& text) {
  return plugin_config_from_json(
      {{"metadata", {{"namespace", "op"}, {"name", "cfg"}}}, {"data", {{"any", text}}}});
}

constexpr const char* kSound =
    "version: v1\nsharing:\n  timeSlicing:\n    resources:\n"
    "    - {name: nvidia.com/gpu, replicas: 4}\n";

}  // namespace

TEST_CASE("a ClusterPolicy: its state, the parts that it leaves out, the plugin's ConfigMap") {
  const ClusterPolicy policy = cluster_policy_from_json(
      {{"metadata", {{"name", "cluster-policy"}}},
       {"spec",
        {{"driver", {{"enabled", false}}},
         {"toolkit", {{"enabled", true}}},
         {"devicePlugin", {{"config", {{"name", "sharing"}, {"default", "any"}}}}}}},
       {"status",
        {{"state", "notReady"},
         {"namespace", "gpu-operator"},
         {"conditions", {{{"type", "Error"}, {"status", "True"}, {"message", "no"}}}}}}});
  CHECK(policy.name == "cluster-policy");
  CHECK(policy.state == "notReady");
  CHECK(policy.ns == "gpu-operator");
  CHECK(policy.disabled == std::vector<std::string>{"driver"});
  CHECK(policy.plugin_config == "sharing");
  CHECK(policy.default_profile == "any");
  REQUIRE(policy.conditions.size() == 1);
  CHECK(policy.conditions[0].message == "no");
  CHECK(cluster_policy_from_json({{"metadata", {{"name", "x"}}}}).state.empty());
  CHECK_THROWS_AS(cluster_policy_from_json({{"spec", 3}}), Error);
}

TEST_CASE("a profile of a device plugin") {
  const auto read = config(kSound);
  REQUIRE(read);
  CHECK(read->ns == "op");
  REQUIRE(read->profiles.size() == 1);
  const PluginProfile& profile = read->profiles[0];
  CHECK(profile.key == "any");
  CHECK(profile.version == "v1");
  CHECK(profile.has_time_slicing);
  CHECK_FALSE(profile.has_mps);
  CHECK(profile.resources ==
        std::vector<SharedResource>{{.name = "nvidia.com/gpu", .replicas = 4}});
  CHECK(profile.unknown_keys.empty());
}

TEST_CASE("profiles that are wrong are read as far as they can be") {
  CHECK(config("version: v1\nsharing:\n  timeslicing: {}\n")->profiles[0].unknown_keys ==
        std::vector<std::string>{"sharing.timeslicing"});
  CHECK_FALSE(config("version: v1\nsharing: {\n")->profiles[0].problem.empty());
  CHECK_FALSE(config("# version: v1\n# sharing: x\n- a\n")->profiles[0].problem.empty());
  const auto odd =
      config("version: v1\nsharing: {mps: {resources: [3, {name: 4, replicas: x}]}}\n");
  REQUIRE(odd->profiles[0].resources.size() == 1);
  CHECK(odd->profiles[0].resources[0] == SharedResource{});
}

TEST_CASE("a ConfigMap of something else is no configuration of a device plugin") {
  CHECK_FALSE(config("hello"));
  CHECK_FALSE(config(""));
  CHECK_FALSE(plugin_config_from_json({{"metadata", {{"name", "x"}}}}));
  CHECK_THROWS_AS(plugin_config_from_json({{"data", {{"any", 3}}}}), Error);
}

}  // namespace kinds_gpu_operator_test
