#include "scheduler/filters/affinity_term.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace gpu::scheduler::filters_affinity_term_test {
namespace {

const ObjectSelector kAll{};
const ObjectSelector kTeam{{{"team", "a"}}, {}};

PodAffinityTerm term(std::optional<ObjectSelector> of_namespaces,
                     std::vector<std::string> namespaces = {}) {
  return {.selector = ObjectSelector{{{"app", "x"}}, {}},
          .topology_key = "zone",
          .namespaces = std::move(namespaces),
          .namespace_selector = std::move(of_namespaces)};
}

Pod pod_in(std::string ns, StringMap labels = {{"app", "x"}}) {
  Pod pod = make::running("p", "n", std::move(labels));
  pod.ns = std::move(ns);
  return pod;
}

const StringMap kLabels{{"team", "a"}};

}  // namespace

TEST_CASE("a term without namespaces is about its owner's, else about those it lists or selects") {
  CHECK(names_namespace(term({}), "ml", pod_in("ml"), {}));
  CHECK_FALSE(names_namespace(term({}), "ml", pod_in("dev"), {}));
  CHECK(names_namespace(term({}, {"dev"}), "ml", pod_in("dev"), {}));
  CHECK_FALSE(names_namespace(term({}, {"dev"}), "ml", pod_in("ml"), {}));
  CHECK(names_namespace(term(kAll), "ml", pod_in("dev"), {}));
  CHECK(names_namespace(term(kTeam), "ml", pod_in("dev"), kLabels));
  CHECK_FALSE(names_namespace(term(kTeam), "ml", pod_in("ml"), {}));
  CHECK(names_namespace(term(kTeam, {"ml"}), "ml", pod_in("ml"), {}));
}

TEST_CASE("a term is about pods of its namespaces that its selector matches") {
  CHECK(is_about(term({}), "ml", pod_in("ml"), {}));
  CHECK_FALSE(is_about(term({}), "ml", pod_in("dev"), {}));
  CHECK_FALSE(is_about(term({}), "ml", pod_in("ml", {{"app", "y"}}), {}));
  PodAffinityTerm none = term({});
  none.selector.reset();
  CHECK_FALSE(is_about(none, "ml", pod_in("ml"), {}));
}

TEST_CASE("only where a selector of labels decides do labels of namespaces matter") {
  CHECK_FALSE(selects_by_labels(term({})));
  CHECK_FALSE(selects_by_labels(term(kAll)));
  CHECK(selects_by_labels(term(kTeam)));
  CHECK(selects_by_labels(term(ObjectSelector{{}, {{"team", "Exists", {}}}})));
  CHECK(hangs_on_labels(term(kTeam), "ml", pod_in("dev")));
  CHECK_FALSE(hangs_on_labels(term(kAll), "ml", pod_in("dev")));
  CHECK_FALSE(hangs_on_labels(term(kTeam, {"dev"}), "ml", pod_in("dev")));
  CHECK_FALSE(hangs_on_labels(term(kTeam), "ml", pod_in("dev", {{"app", "y"}})));
  PodAffinityTerm none = term(kTeam);
  none.selector.reset();
  CHECK_FALSE(hangs_on_labels(none, "ml", pod_in("dev")));
}

TEST_CASE("a pod's own term selects among the namespaces that exist") {
  Snapshot snapshot = make::cluster({});
  snapshot.scheduling.namespaces = {{.name = "dev", .labels = kLabels}, {.name = "ops"}};
  const Cluster cluster(snapshot);
  const auto namespaces = [&](const PodAffinityTerm& of) {
    const OwnTerm own(cluster, of, "ml");
    std::string text;
    for (const char* ns : {"dev", "ml", "new", "ops"})
      if (own.is_about_namespace(ns)) text += std::string(ns) + " ";
    return text;
  };
  CHECK(namespaces(term({})) == "ml ");
  CHECK(namespaces(term({}, {"ops", "new"})) == "new ops ");
  CHECK(namespaces(term(kAll)) == "dev ml new ops ");
  CHECK(namespaces(term(kTeam)) == "dev ");
  CHECK(namespaces(term(kTeam, {"ops"})) == "dev ops ");
  const PodAffinityTerm simple = term({});
  const OwnTerm own(cluster, simple, "ml");
  CHECK(own.is_about(pod_in("ml")));
  CHECK_FALSE(own.is_about(pod_in("dev")));
  CHECK_FALSE(own.is_about(pod_in("ml", {})));
}

}  // namespace gpu::scheduler::filters_affinity_term_test
