#include "cost/prices/node_facts.hpp"

#include <catch2/catch.hpp>

namespace gpu::cost::prices_node_facts_test {

TEST_CASE("a provider is known by the scheme of the provider ID") {
  struct Row {
    const char* id;
    const char* provider;
  };
  for (const auto& [id, provider] :
       {Row{"aws:///us-east-1a/i-0123", "aws"}, Row{"AWS:///us-east-1a/i-0123", "aws"},
        Row{"gce://project/us-central1-a/node", "gcp"},
        Row{"azure:///subscriptions/s/x/virtualMachines/0", "azure"},
        Row{"ocid1.instance.oc1.iad.abc", "oci"}, Row{"oci://ocid1.instance.oc1", "oci"},
        Row{"digitalocean://123", "digitalocean"}, Row{"openstack:///uuid", "openstack"},
        Row{"kind://docker/kind/kind-worker", "kind"}, Row{"k3s://node", "k3s"}, Row{"", ""},
        Row{"node-1", ""}, Row{"://", ""}})
    CHECK(provider_of(id) == provider);
}

TEST_CASE("a region is a label, an old label, or in the zone of the provider ID") {
  CHECK(region_of({{"topology.kubernetes.io/region", "eu-west-1"}}, "aws:///us-east-1a/i-0") ==
        "eu-west-1");
  CHECK(region_of({{"failure-domain.beta.kubernetes.io/region", "eu-west-1"}}, "") == "eu-west-1");
  CHECK(region_of({}, "aws:///us-east-1a/i-0") == "us-east-1");
  CHECK(region_of({}, "aws:///us-gov-west-1b/i-0") == "us-gov-west-1");
  CHECK(region_of({}, "aws:///us-west-2-lax-1a/i-0") == "us-west-2");
  CHECK(region_of({}, "aws:///i-0").empty());
  CHECK(region_of({}, "aws:////i-0").empty());
  CHECK(region_of({}, "gce://project/europe-west4-b/node") == "europe-west4");
  CHECK(region_of({}, "gce://project").empty());
  CHECK(region_of({}, "kind://docker/kind/worker").empty());
}

TEST_CASE("a product without what sharing and MIG add to it") {
  CHECK(whole_product("NVIDIA-L4-SHARED") == "NVIDIA-L4");
  CHECK(whole_product("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED") == "NVIDIA-A100-SXM4-40GB");
  CHECK(whole_product("NVIDIA-L4") == "NVIDIA-L4");
}

}  // namespace gpu::cost::prices_node_facts_test
