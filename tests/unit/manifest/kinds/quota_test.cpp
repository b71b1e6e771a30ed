#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_quota_test {
namespace {

GenOptions gpu_quota() {
  GenOptions options;
  options.name = "team";
  options.ns = "team-a";
  options.gpus = 8;
  return options;
}

std::string hard(const GenOptions& options, const ClusterFacts& facts = {}) {
  return text_at(made("quota", options, facts).documents.front(), "spec.hard");
}

GpuNodes nodes_of(std::string resource, std::string single_mig_profile) {
  GpuNodes nodes;
  nodes.resource = std::move(resource);
  nodes.single_mig_profile = std::move(single_mig_profile);
  nodes.nodes = 1;
  nodes.largest = 7;
  return nodes;
}

}  // namespace

TEST_CASE("a quota counts requests, the only name under which it is enforced") {
  const Generated quota = made("quota", gpu_quota());
  CHECK(text_at(quota.documents.front(), "kind") == "ResourceQuota");
  CHECK(text_at(quota.documents.front(), "metadata.namespace") == "team-a");
  CHECK(hard(gpu_quota()) == R"({requests.nvidia.com/gpu: "8"})");
  CHECK(yaml_of(quota.documents, Comments::left_out).find("limits.") == std::string::npos);
  CHECK(comments_on(quota, "never enforced"));
  CHECK(quota.notes.empty());
  CHECK(is_read_back(quota.documents));
}

TEST_CASE("a quota may count GPUs and slices of several profiles") {
  GenOptions options = gpu_quota();
  options.mig = "1g.10gb=4,3g.40gb+me=2";
  CHECK(hard(options) == R"({requests.nvidia.com/gpu: "8", requests.nvidia.com/mig-1g.10gb: "4", )"
                         R"(requests.nvidia.com/mig-3g.40gb.me: "2"})");
  options.gpus.reset();
  options.mig = "1g.10gb=4";
  ClusterFacts facts;
  facts.is_known = true;
  facts.gpu_nodes = {nodes_of("nvidia.com/gpu", "1g.10gb")};
  CHECK(hard(options, facts) == R"({requests.nvidia.com/gpu: "4"})");
}

TEST_CASE("a quota of shares counts the resource of shared cards, and more than one") {
  GenOptions options = gpu_quota();
  options.is_shared = true;
  CHECK(hard(options) == R"({requests.nvidia.com/gpu.shared: "8"})");
}

TEST_CASE("a quota of claims counts devices of their class") {
  GenOptions options = gpu_quota();
  options.uses_dra = true;
  CHECK(hard(options) == R"({gpu.nvidia.com.deviceclass.resource.k8s.io/devices: "8"})");
}

TEST_CASE("a quota may be more than any node has") {
  GenOptions options = gpu_quota();
  options.gpus = 64;
  ClusterFacts facts;
  facts.is_known = true;
  facts.gpu_nodes = {nodes_of("nvidia.com/gpu", "")};
  CHECK(hard(options, facts) == R"({requests.nvidia.com/gpu: "64"})");
}

TEST_CASE("a quota without a namespace says where it counts") {
  GenOptions options = gpu_quota();
  options.ns.clear();
  CHECK(says(made("quota", options), "--namespace names one"));
}

TEST_CASE("a quota needs a number, and profiles that can be read") {
  GenOptions options = gpu_quota();
  options.gpus.reset();
  CHECK(refusal("quota", options) == "how many GPUs is not said");
  options.mig = "1g.10gb";
  CHECK(refusal("quota", options) == "how many 1g.10gb is not said");
  for (const char* bad : {"1g.10gb=", "1g.10gb=0", "1g.10gb=-1", "1g.10gb=x", "=4", "gpu=4"}) {
    options.mig = bad;
    CHECK(refusal("quota", options) == "`--mig " + std::string(bad) + "` cannot be read");
  }
  options.mig = "1g.10gb=1,1g.10gb=2";
  CHECK(refusal("quota", options) == "`--mig 1g.10gb=1,1g.10gb=2` cannot be read");
}

}  // namespace gpu::manifest::test::kinds_quota_test
