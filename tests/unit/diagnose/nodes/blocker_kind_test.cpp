#include "diagnose/nodes/blocker_kind.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

namespace nodes_blocker_kind_test {

using namespace gpu::diagnose;
using gpu::scheduler::Filter;

namespace {

std::vector<BlockerKind> all_kinds() {
  std::vector<BlockerKind> all;
  for (int i = 0; i <= static_cast<int>(BlockerKind::other); ++i)
    all.push_back(static_cast<BlockerKind>(i));
  return all;
}

}  // namespace

TEST_CASE("every kind has a text of its own") {
  std::set<std::string_view> texts;
  for (const BlockerKind kind : all_kinds()) {
    CHECK_FALSE(text_of(kind).empty());
    CHECK(texts.insert(text_of(kind)).second);
  }
}

TEST_CASE("a kind is of the GPU stack only where it is about GPUs") {
  CHECK(kinds_with(BlockerTrait::stack).are_among(kinds_with(BlockerTrait::gpus)));
  CHECK_FALSE(kinds_with(BlockerTrait::rule).has_any_of(kinds_with(BlockerTrait::room)));
  CHECK(kinds_with(BlockerTrait::left_out) ==
        BlockerKinds{BlockerKind::node_selector, BlockerKind::other_node_name});
}

TEST_CASE("a resource that a request can ask less of has a name, and smaller requests come first") {
  for (const BlockerKind kind : all_kinds()) {
    const auto remedies = remedies_of(kind);
    const auto smaller = std::find(remedies.begin(), remedies.end(), Remedy::smaller_request);
    CHECK((smaller != remedies.end()) == !fixed_resource(kind).empty());
    if (smaller != remedies.end()) CHECK(smaller == remedies.begin());
  }
}

TEST_CASE("nothing that we could do brings a node what it never had") {
  for (const BlockerKind kind :
       {BlockerKind::not_ready, BlockerKind::few_gpus, BlockerKind::unhealthy_gpus,
        BlockerKind::no_driver, BlockerKind::volume_elsewhere, BlockerKind::other})
    CHECK(remedies_of(kind).empty());
}

TEST_CASE("a failure is of its filter's kind, by its text where the filter has several") {
  CHECK(kind_of_failure(Filter::node_ports, "node(s) didn't have free ports") ==
        BlockerKind::port_taken);
  CHECK(kind_of_failure(Filter::volume_zone, "node(s) had no available volume zone") ==
        BlockerKind::volume_elsewhere);
  const auto of_binding = [](std::string_view text) {
    return kind_of_failure(Filter::volume_binding, text);
  };
  CHECK(of_binding("node(s) didn't match PersistentVolume's node affinity") ==
        BlockerKind::volume_elsewhere);
  CHECK(of_binding("node(s) had volume node affinity conflict") == BlockerKind::volume_elsewhere);
  CHECK(of_binding("node(s) did not have enough free storage") == BlockerKind::no_volume);
  const auto of_neighbors = [](std::string_view text) {
    return kind_of_failure(Filter::inter_pod_affinity, text);
  };
  CHECK(of_neighbors("node(s) didn't match pod affinity rules") == BlockerKind::pod_affinity);
  CHECK(of_neighbors("node(s) didn't match pod anti-affinity rules") ==
        BlockerKind::pod_anti_affinity);
  CHECK(of_neighbors("node(s) didn't satisfy existing pods anti-affinity rules") ==
        BlockerKind::pod_anti_affinity);
  CHECK(kind_of_failure(Filter::node_resources_fit, "Too many pods") == BlockerKind::too_many_pods);
  CHECK(kind_of_failure(Filter::node_resources_fit, "anything else") == BlockerKind::other);
}

TEST_CASE("every filter has a kind") {
  for (std::size_t i = 0; i < gpu::scheduler::kFilters; ++i)
    if (const auto filter = static_cast<Filter>(i); filter != Filter::node_resources_fit)
      CHECK(kind_of_failure(filter, "") != BlockerKind::other);
}

TEST_CASE("a shortage is of its resource's kind") {
  CHECK(kind_of_shortage("cpu") == BlockerKind::little_cpu);
  CHECK(kind_of_shortage("ephemeral-storage") == BlockerKind::little_storage);
  CHECK(kind_of_shortage("nvidia.com/gpu") == BlockerKind::few_free_gpus);
  CHECK(kind_of_shortage("rdma/hca") == BlockerKind::few_resources);
}

TEST_CASE("a fault of the stack is of the kind with its code") {
  CHECK(kind_of_fault(Code::driver_missing) == BlockerKind::no_driver);
  CHECK(kind_of_fault(Code::resource_renamed) == BlockerKind::renamed_gpus);
  CHECK(kind_of_fault(Code::mig_mismatch) == BlockerKind::few_free_gpus);
}

}  // namespace nodes_blocker_kind_test
