#include "manifest/fit/claims.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"
#include "manifest/kinds/made.hpp"

namespace fit_claims_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kRequest = "devices.requests[0].";
const std::string kSelector = kRequest + "exactly.selectors[0].cel.expression";

Tree claim_spec(const GenOptions& options, std::int64_t units = 1, const ClusterFacts& facts = {}) {
  GenRequest request{.options = options, .facts = facts, .notes = {}};
  return device_claim_spec(request, units);
}

std::string selector(const GenOptions& options) {
  const Tree spec = claim_spec(options);
  const Tree* const found = at(spec, kSelector);
  return found == nullptr ? "-" : std::get<std::string>(found->value());
}

}  // namespace

TEST_CASE("A claim asks for as many devices of the class of whole GPUs as a pod needs") {
  const Tree spec = claim_spec({}, 4);
  CHECK(text_at(spec, kRequest + "name") == "gpu");
  CHECK(text_at(spec, kRequest + "exactly") == "{deviceClassName: gpu.nvidia.com, count: 4}");
}

TEST_CASE("A claim for a slice is of the class of slices, by its profile") {
  GenOptions options;
  options.mig = "1g.10gb";
  const Tree spec = claim_spec(options);
  CHECK(text_at(spec, kRequest + "exactly.deviceClassName") == "mig.nvidia.com");
  CHECK(selector(options) == "device.attributes['gpu.nvidia.com'].profile == '1g.10gb'");
}

TEST_CASE("A model is asked for by all of its products, whose names have blanks in DRA") {
  GenOptions options;
  options.gpu_models = {"L4", "T4"};
  CHECK(selector(options) ==
        "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA L4' || "
        "device.attributes['gpu.nvidia.com'].productName == 'Tesla T4'");
}

TEST_CASE("A slice of one of several models has both: the profile, and any of the models") {
  GenOptions options;
  options.mig = "1g.5gb";
  options.gpu_models = {"L4", "T4"};
  CHECK(selector(options) ==
        "device.attributes['gpu.nvidia.com'].profile == '1g.5gb' && "
        "(device.attributes['gpu.nvidia.com'].productName == 'NVIDIA L4' || "
        "device.attributes['gpu.nvidia.com'].productName == 'Tesla T4')");
}

TEST_CASE("A model whose name in DRA is not known is refused") {
  GenOptions options;
  options.gpu_models = {"MI300X"};
  CHECK_THROWS_WITH(claim_spec(options), "what the DRA driver calls MI300X is not known");
}

TEST_CASE("What is no MIG profile does not get into an expression") {
  GenOptions options;
  for (const char* const bad : {"all-disabled", "1g.10gb' || true"}) {
    options.mig = bad;
    CHECK_THROWS_WITH(claim_spec(options), "there is no MIG profile `" + std::string(bad) + "`");
  }
}

TEST_CASE("A DeviceClass that the cluster does not have is warned of, and of no other") {
  GenOptions options;
  const auto warnings = [&](const ClusterFacts& facts) {
    GenRequest request{.options = options, .facts = facts, .notes = {}};
    device_claim_spec(request, 1);
    return request.notes;
  };
  ClusterFacts facts;
  CHECK(warnings(facts).empty());
  facts.device_classes = {"mig.nvidia.com"};
  REQUIRE(warnings(facts).size() == 1);
  CHECK(warnings(facts)[0].level == GenNote::Level::warning);
  CHECK(warnings(facts)[0].text == "there is no DeviceClass gpu.nvidia.com in this cluster");
  options.mig = "1g.10gb";
  CHECK(warnings(facts).empty());
}

TEST_CASE("The template of claims is called after the object, in its namespace") {
  GenOptions options = options_named("train");
  options.ns = "ml";
  const ClusterFacts facts;
  GenRequest request{.options = options, .facts = facts, .notes = {}};
  CHECK(claim_template_name(request) == "train-gpu");
  const Tree object = claim_template(request, 2);
  CHECK(text_at(object, "apiVersion") == "resource.k8s.io/v1");
  CHECK(text_at(object, "kind") == "ResourceClaimTemplate");
  CHECK(text_at(object, "metadata") == "{name: train-gpu, namespace: ml}");
  CHECK(text_at(object, "spec.spec." + kRequest + "exactly.count") == "2");
}

}  // namespace fit_claims_test
