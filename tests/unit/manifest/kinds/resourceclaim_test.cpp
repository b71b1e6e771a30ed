#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_resourceclaim_test {
namespace {

GenOptions device_claim() {
  GenOptions options;
  options.name = "cards";
  return options;
}

}  // namespace

TEST_CASE("a resourceclaim is a template, so that each pod has devices of its own") {
  GenOptions options = device_claim();
  options.gpus = 2;
  options.gpu_models = {"L4"};
  const Generated claim = made("resourceclaim", options);
  const Tree& object = claim.documents.front();
  CHECK(text_at(object, "apiVersion") == "resource.k8s.io/v1");
  CHECK(text_at(object, "kind") == "ResourceClaimTemplate");
  CHECK(text_at(object, "metadata.name") == "cards");
  const std::string request = "spec.spec.devices.requests[0].";
  CHECK(text_at(object, request + "name") == "gpu");
  CHECK(text_at(object, request + "exactly.deviceClassName") == "gpu.nvidia.com");
  CHECK(text_at(object, request + "exactly.count") == "2");
  CHECK(text_at(object, request + "exactly.selectors[0].cel.expression") ==
        R"("device.attributes['gpu.nvidia.com'].productName == 'NVIDIA L4'")");
  CHECK(says(claim, "resourceClaimTemplateName: cards"));
  CHECK(is_read_back(claim.documents));
}

TEST_CASE("with --once it is one claim, which pods share") {
  GenOptions options = device_claim();
  options.is_claimed_once = true;
  const Generated claim = made("resourceclaim", options);
  const Tree& object = claim.documents.front();
  CHECK(text_at(object, "kind") == "ResourceClaim");
  CHECK(text_at(object, "spec.devices.requests[0].exactly") ==
        "{deviceClassName: gpu.nvidia.com, count: 1}");
  CHECK(says(claim, "resourceClaimName: cards"));
  CHECK(is_read_back(claim.documents));
}

TEST_CASE("slices of a model are claimed by both") {
  GenOptions options = device_claim();
  options.mig = "1g.10gb";
  options.gpus = 2;
  options.gpu_models = {"H100-SXM5-80GB"};
  const Tree object = made("resourceclaim", options).documents.front();
  const std::string request = "spec.spec.devices.requests[0].exactly.";
  CHECK(text_at(object, request + "deviceClassName") == "mig.nvidia.com");
  CHECK(text_at(object, request + "count") == "2");
  CHECK(text_at(object, request + "selectors[0].cel.expression") ==
        "\"device.attributes['gpu.nvidia.com'].profile == '1g.10gb' && "
        "(device.attributes['gpu.nvidia.com'].productName == 'NVIDIA H100 80GB HBM3')\"");
}

TEST_CASE("a resourceclaim has one profile, and models whose names are known") {
  GenOptions options = device_claim();
  options.mig = "1g.10gb=2";
  CHECK(refusal("resourceclaim", options) == "a claim has slices of one profile");
  options = device_claim();
  options.gpu_models = {"H1000"};
  CHECK(refusal("resourceclaim", options) == "what the DRA driver calls H1000 is not known");
}

TEST_CASE("a missing DeviceClass is warned of") {
  ClusterFacts facts;
  facts.device_classes = std::vector<std::string>{};
  CHECK(says(made("resourceclaim", device_claim(), facts), "no DeviceClass gpu.nvidia.com"));
}

}  // namespace gpu::manifest::test::kinds_resourceclaim_test
