#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_mig_config_test {
namespace {

GenOptions layout(std::string mig, std::string model = {}) {
  GenOptions options;
  options.name = "mixed";
  options.mig = std::move(mig);
  if (!model.empty()) options.gpu_models = {std::move(model)};
  return options;
}

std::string layouts(const GenOptions& options, const ClusterFacts& facts = {}) {
  const Tree object = made("mig-config", options, facts).documents.front();
  return std::get<std::string>(at(object, "data.config.yaml")->value());
}

/// The lines with profiles.
std::string devices(const GenOptions& options, const ClusterFacts& facts = {}) {
  const std::string text = layouts(options, facts);
  return text.substr(text.find("mig-devices:") + 13);
}

}  // namespace

TEST_CASE("a mig-config has the layout, and that of nodes without slices") {
  CHECK(layouts(layout("1g.10gb=2,2g.20gb,3g.40gb=1", "H100")) ==
        "version: v1\n"
        "mig-configs:\n"
        "  all-disabled:\n"
        "  - {devices: all, mig-enabled: false}\n"
        "  mixed:\n"
        "  - devices: all\n"
        "    mig-enabled: true\n"
        "    mig-devices:\n"
        "      \"1g.10gb\": 2\n"
        "      \"2g.20gb\": 1\n"
        "      \"3g.40gb\": 1\n");
  const Generated made_map = made("mig-config", layout("1g.10gb", "H100"));
  CHECK(text_at(made_map.documents.front(), "metadata") ==
        "{name: mixed, namespace: gpu-operator}");
  CHECK(is_read_back(made_map.documents));
}

TEST_CASE("a mig-config says the patch and the label that switch it on") {
  const Generated made_map = made("mig-config", layout("1g.10gb", "H100"));
  REQUIRE(made_map.notes.size() == 2);
  CHECK(made_map.notes[0].command ==
        R"(kubectl patch clusterpolicies.nvidia.com cluster-policy --type merge -p )"
        R"('{"spec":{"migManager":{"config":{"name":"mixed"}}}}')");
  CHECK(made_map.notes[1].command ==
        "kubectl label node NODE --overwrite nvidia.com/mig.config=mixed");
}

TEST_CASE("one profile without a count fills the card") {
  CHECK(devices(layout("1g.10gb", "H100")) == "      \"1g.10gb\": 7\n");
  CHECK(devices(layout("3g.71gb", "H200")) == "      \"3g.71gb\": 2\n");
  CHECK(devices(layout("1g.47gb", "GB200")) == "      \"1g.47gb\": 4\n");
  CHECK(devices(layout("2g.12gb", "A30")) == "      \"2g.12gb\": 2\n");
  CHECK(devices(layout("1g.10gb+me", "H100")) == "      \"1g.10gb+me\": 1\n");
}

TEST_CASE("profiles of a mig-config are those of the cards of the cluster") {
  ClusterFacts facts;
  facts.is_known = true;
  GpuNodes nodes;
  nodes.product = "NVIDIA-A100-SXM4-40GB-MIG-3g.20gb";
  facts.gpu_nodes = {nodes};
  CHECK(devices(layout("1g.5gb"), facts) == "      \"1g.5gb\": 7\n");
  CHECK(refusal("mig-config", layout("1g.18gb"), facts) == "no such card has the profile 1g.18gb");
  CHECK(devices(layout("1g.18gb", "H200"), facts) == "      \"1g.18gb\": 7\n");
}

TEST_CASE("profiles that a card does not have, or has no room for, are refused") {
  CHECK(refusal("mig-config", layout("1g.5gb", "H100")) == "no such card has the profile 1g.5gb");
  CHECK(refusal("mig-config", layout("1g.5gb,1g.18gb")) ==
        "no such card has all of 1g.5gb, 1g.18gb");
  CHECK(refusal("mig-config", layout("1g.10gb=8", "H100-SXM5-80GB")) ==
        "H100-SXM5-80GB has room for 7 of 1g.10gb, not for 8");
  CHECK(refusal("mig-config", layout("3g.40gb=2,1g.10gb=1", "H100-SXM5-80GB")) ==
        "the slices take 7 of 7 compute slices of a H100-SXM5-80GB, and 9 of 8 parts of its "
        "memory");
  CHECK(refusal("mig-config", layout("1g.5gb", "T4")) ==
        "T4 cannot be cut into MIG slices, or is not known");
  CHECK(refusal("mig-config", layout("")) == "--mig is missing");
  GenOptions options = layout("1g.10gb");
  options.name = "all-disabled";
  CHECK(refusal("mig-config", options) == "`all-disabled` is the layout without slices");
}

}  // namespace gpu::manifest::test::kinds_mig_config_test
