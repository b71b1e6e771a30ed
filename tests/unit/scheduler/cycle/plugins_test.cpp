#include "scheduler/cycle/plugins.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "scheduler/cycle/judge_make.hpp"
#include "scheduler/volumes/volume_make.hpp"

namespace cycle_plugins_test {

using namespace gpu;
using namespace gpu::scheduler;

TEST_CASE("every filter of the profile has a name, and a row in its place") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kPlugins.size(); ++i) {
    CHECK(kPlugins[i].filter == static_cast<Filter>(i));
    CHECK_FALSE(name_of(kPlugins[i].filter).empty());
    CHECK(names.insert(name_of(kPlugins[i].filter)).second);
  }
  CHECK(name_of(Filter::node_resources_fit) == "NodeResourcesFit");
  CHECK(name_of(Filter::node_declared_features) == "NodeDeclaredFeatures");
}

TEST_CASE("a filter speaks for itself alone") {
  const Snapshot snapshot = make::seen({make::node("a", 0)}, {});
  const Cluster cluster(snapshot);
  const Overlay overlay(cluster);
  Pod pod = make::waiting("p", 1);
  pod.node_selector = {{"zone", "b"}};
  const PodFilters filters(overlay, pod);
  for (const Plugin& plugin : kPlugins) {
    INFO(name_of(plugin.filter));
    CHECK_FALSE(plugin.before(filters).refusal);
    Findings findings(plugin.filter);
    plugin.ask(filters, overlay.view(0), findings);
    const bool refuses =
        plugin.filter == Filter::node_affinity || plugin.filter == Filter::node_resources_fit;
    CHECK(findings.is_empty() != refuses);
    for (const FilterFailure& each : findings.found()) CHECK(each.filter == plugin.filter);
  }
}

}  // namespace cycle_plugins_test
