#include "diagnose/explain/known_namespaces.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace explain_known_namespaces_test {

using namespace gpu;
using namespace gpu::diagnose;

TEST_CASE("a namespace is refused only where it is known which there are") {
  Snapshot snapshot = make::cluster({make::node("a", 4)}, {make::waiting("train-0", 8)});
  CHECK_NOTHROW(check_namespace("", snapshot, Origin::files));
  CHECK_NOTHROW(check_namespace("ml", snapshot, Origin::files));
  CHECK_THROWS_AS(check_namespace("dev", snapshot, Origin::files), Error);
  CHECK_NOTHROW(check_namespace("dev", snapshot, Origin::cluster));

  snapshot.scheduling.namespaces = {{.name = "ml"}};
  CHECK_THROWS_AS(check_namespace("dev", snapshot, Origin::cluster), Error);
  snapshot.scheduling.coverages["namespaces"] = Coverage::partial;
  CHECK_NOTHROW(check_namespace("dev", snapshot, Origin::cluster));
}

TEST_CASE("files without pods say nothing of namespaces") {
  CHECK_NOTHROW(check_namespace("dev", make::cluster({make::node("a", 4)}), Origin::files));
}

}  // namespace explain_known_namespaces_test
