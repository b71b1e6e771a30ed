#include "scheduler/cluster/rules.hpp"

#include <catch2/catch.hpp>

namespace cluster_rules_test {

using namespace gpu::scheduler;

TEST_CASE("rules go by the minor, whatever a distribution adds to the version") {
  for (const auto* version : {"v1.31.13", "1.31.13", "v1.31.13-eks-1a2b3c4", "v1.31.13+k3s1"}) {
    CAPTURE(version);
    const Rules rules = rules_for(version);
    CHECK(rules.minor == 31);
    CHECK(rules.patch == 13);
    CHECK(rules.is_exact);
  }
}

TEST_CASE("each minor from 1.30 to 1.36 has rules; beside them are the nearest") {
  for (int minor = 30; minor <= 36; ++minor)
    CHECK(rules_for("v1." + std::to_string(minor) + ".2").is_exact);
  CHECK(rules_for("v1.29.8").minor == 30);
  CHECK_FALSE(rules_for("v1.29.8").is_exact);
  CHECK(rules_for("v1.29.8").patch == 0);
  CHECK(rules_for("v1.37.0").minor == 36);
  CHECK_FALSE(rules_for("v1.37.0").is_exact);
  CHECK(rules_for("v2.0.0").minor == 36);
  CHECK(rules_for("").minor == 36);
  CHECK_FALSE(rules_for("").is_exact);
}

TEST_CASE("what changed from minor to minor") {
  CHECK(rules_for("v1.33.13").names_taint);
  CHECK(rules_for("v1.34.1").names_taint);
  CHECK_FALSE(rules_for("v1.34.2").names_taint);
  CHECK(rules_for("v1.32.13").says_volume_conflict);
  CHECK_FALSE(rules_for("v1.33.0").says_volume_conflict);
  CHECK_FALSE(rules_for("v1.33.13").has_devices);
  CHECK(rules_for("v1.34.0").has_devices);
  CHECK_FALSE(rules_for("v1.31.13").counts_attachments);
  CHECK(rules_for("v1.32.0").counts_attachments);
  CHECK_FALSE(rules_for("v1.32.13").requests.counts_resizes);
  CHECK(rules_for("v1.33.0").requests.counts_resizes);
  CHECK_FALSE(rules_for("v1.33.13").requests.reads_pod_requests);
  CHECK(rules_for("v1.34.0").requests.reads_pod_requests);
  CHECK_FALSE(rules_for("v1.35.4").reads_declared_features);
  CHECK(rules_for("v1.36.0").reads_declared_features);
}

}  // namespace cluster_rules_test
