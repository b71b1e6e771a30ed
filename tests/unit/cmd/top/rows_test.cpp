#include "cmd/top/rows.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace top_rows_test {

using namespace gpu;
using namespace gpu::cmd;

namespace {

const Pool kPool{.node = "a",
                 .resource = "nvidia.com/gpu",
                 .product = "NVIDIA-H100-80GB-HBM3",
                 .model = "H100-80G"};

TopQuestion question() { return {.view = kPodsView}; }

}  // namespace

TEST_CASE("a pool is chosen by a part of its model or product, in any letter case") {
  TopQuestion asked = question();
  CHECK(matches(kPool, asked));
  for (const std::string model : {"h100", "H100-80G", "hbm3"}) {
    asked.model = model;
    CHECK(matches(kPool, asked));
  }
  asked.model = "A100";
  CHECK_FALSE(matches(kPool, asked));
}

TEST_CASE("a pool is chosen by its resource, whole or without the domain") {
  TopQuestion asked = question();
  for (const std::string resource : {"nvidia.com/gpu", "gpu"}) {
    asked.resource = resource;
    CHECK(matches(kPool, asked));
  }
  asked.resource = "nvidia.com";
  CHECK_FALSE(matches(kPool, asked));
}

TEST_CASE("a pool is chosen by its node") {
  TopQuestion asked = question();
  asked.nodes = {"b", "a"};
  CHECK(matches(kPool, asked));
  asked.nodes = {"b"};
  CHECK_FALSE(matches(kPool, asked));
}

TEST_CASE("pods are chosen by namespace and labels; a claim without pods has no labels") {
  Pod pod = make::pod("x", "a", 1);
  pod.labels = {{"app", "web"}};
  const Holding holding{.ns = "ml"};
  usage::PodUsage row{.pool = &kPool, .holding = &holding, .pod = &pod};
  TopQuestion asked = question();
  asked.ns = "ml";
  CHECK(matches(row, asked));
  asked.pod_selector = LabelSelector::parse("app=web");
  CHECK(matches(row, asked));
  row.pod = nullptr;
  CHECK_FALSE(matches(row, asked));
  asked.ns = "dev";
  CHECK_FALSE(matches(row, asked));
}

}  // namespace top_rows_test
