#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"
#include "scheduler/volumes/volume_binding.hpp"
#include "scheduler/volumes/volume_make.hpp"

namespace cycle_unread_test {

namespace {

using gpu::Coverage;
using gpu::Pod;
using gpu::PodAffinityTerm;
using gpu::Snapshot;
using gpu::StringMap;
using gpu::scheduler::Cluster;
using gpu::scheduler::Verdict;
using Kinds = std::vector<std::string>;
namespace make = gpu::make;

constexpr const char* kDriver = "gpu.nvidia.com";

PodAffinityTerm beside_team() {
  PodAffinityTerm term;
  term.selector = gpu::ObjectSelector{.labels = {{"app", "data"}}};
  term.topology_key = "zone";
  term.namespace_selector = gpu::ObjectSelector{.labels = {{"team", "x"}}};
  return term;
}

/// Asks every filter for something: two volumes, a device, and a pod of another namespace nearby.
Pod demanding() {
  Pod pod = make::pod_with_claims("p", "", {"bound", "new"});
  pod.scheduler_name = "default-scheduler";
  pod.claim_slots = {{.name = "gpu", .claim = "mine"}};
  pod.placement.pod_affinity = {beside_team()};
  return pod;
}

void add_volumes(Snapshot& snapshot) {
  gpu::SchedulingFacts& facts = snapshot.scheduling;
  facts.volume_claims = {make::bound_claim("bound", "v1"), make::waiting_claim("new", "fast")};
  facts.volumes = {make::volume("v1", "fast")};
  facts.volumes[0].csi_driver = "csi.example.com";
  facts.volumes[0].csi_handle = "h1";
  facts.storage_classes = {make::delayed_class("fast", "csi.example.com")};
  facts.csi_nodes = {{.name = "a", .drivers = {{"csi.example.com", 5}}}};
}

void add_devices(Snapshot& snapshot) {
  gpu::Device card;
  card.name = "0";
  snapshot.slices = {{.name = "slice-a",
                      .driver = kDriver,
                      .pool = "a",
                      .generation = 1,
                      .slice_count = 1,
                      .node_name = "a",
                      .devices = {card}}};
  snapshot.device_classes = {{.name = kDriver}};
  gpu::ResourceClaim claim{.ns = "ml", .name = "mine"};
  claim.requests = {{.name = "gpus", .device_class = kDriver, .count = 1}};
  snapshot.claims = {claim};
}

/// A cluster that was read whole, and on whose one node the demanding pod fits.
Snapshot whole() {
  Pod neighbour = make::running("n", "a", {{"app", "data"}});
  neighbour.ns = "other";
  Snapshot made = make::cluster({make::labelled("a", {{"zone", "z"}})}, {neighbour, demanding()});
  add_volumes(made);
  add_devices(made);
  made.scheduling.namespaces = {{.name = "ml", .labels = {}},
                                {.name = "other", .labels = {{"team", "x"}}}};
  for (const char* kind :
       {"persistentvolumeclaims", "persistentvolumes", "storageclasses", "csinodes", "csidrivers",
        "csistoragecapacities", "volumeattachments", "deviceclasses"})
    made.scheduling.coverages[kind] = Coverage::whole;
  made.slice_coverage = made.claim_coverage = Coverage::whole;
  return made;
}

/// A kind, and what a snapshot lacks when it was not read.
struct Hidden {
  std::string kind;
  std::function<void(Snapshot&)> hide;
};

std::vector<Hidden> all_hidden() {
  std::vector<Hidden> all = {
      {"pods",
       [](Snapshot& it) {
         std::erase_if(it.pods, [](const Pod& pod) { return pod.ns == "other"; });
         it.pod_coverage = Coverage::partial;
       }},
      {"resourceclaims",
       [](Snapshot& it) {
         it.claims.clear();
         it.claim_coverage = Coverage::none;
       }},
      {"resourceslices",
       [](Snapshot& it) {
         it.slices.clear();
         it.slice_coverage = Coverage::none;
       }},
      {"deviceclasses", [](Snapshot& it) { it.device_classes.clear(); }},
      {"namespaces", [](Snapshot& it) { it.scheduling.namespaces.clear(); }},
      {"persistentvolumeclaims", [](Snapshot& it) { it.scheduling.volume_claims.clear(); }},
      {"persistentvolumes", [](Snapshot& it) { it.scheduling.volumes.clear(); }},
      {"storageclasses", [](Snapshot& it) { it.scheduling.storage_classes.clear(); }},
      {"csinodes", [](Snapshot& it) { it.scheduling.csi_nodes.clear(); }},
      {"csidrivers", [](Snapshot&) {}},
      {"csistoragecapacities", [](Snapshot&) {}},
      {"volumeattachments", [](Snapshot&) {}},
  };
  for (Hidden& each : all)
    each.hide = [hide = each.hide, kind = each.kind](Snapshot& it) {
      hide(it);
      it.scheduling.coverages.erase(kind);
    };
  return all;
}

const Pod& waiting_in(const Snapshot& snapshot) {
  return *std::find_if(snapshot.pods.begin(), snapshot.pods.end(),
                       [](const Pod& pod) { return pod.name == "p"; });
}

gpu::diagnose::Explanation explained(const Snapshot& snapshot) {
  return gpu::diagnose::explain(Cluster(snapshot), waiting_in(snapshot), {});
}

}  // namespace

TEST_CASE("a pod that fits is told so where all that it needs was read") {
  const Snapshot snapshot = whole();
  const Verdict verdict = gpu::scheduler::judge(Cluster(snapshot), waiting_in(snapshot));
  CHECK(verdict.fits());
  CHECK(verdict.unread.empty());
  CHECK(verdict.not_checked.empty());
  CHECK_FALSE(explained(snapshot).is_blocked);
}

TEST_CASE("objects that were not read are neither missing nor there") {
  for (const Hidden& hidden : all_hidden()) {
    Snapshot snapshot = whole();
    hidden.hide(snapshot);
    CAPTURE(hidden.kind);
    const Verdict verdict = gpu::scheduler::judge(Cluster(snapshot), waiting_in(snapshot));
    CHECK(verdict.rejections.empty());
    CHECK_FALSE(verdict.nodes[0].is_refused());
    CHECK(verdict.nodes[0].is_undecided);
    CHECK(verdict.fitting() == 1);
    CHECK_FALSE(verdict.fits());
    CHECK(std::count(verdict.unread.begin(), verdict.unread.end(), hidden.kind) == 1);

    const gpu::diagnose::Explanation answer = explained(snapshot);
    CHECK(answer.is_blocked);
    CHECK(answer.code == gpu::diagnose::Code::not_modelled);
    CHECK(answer.summary.find("could not be decided: ") != std::string::npos);
    CHECK(answer.summary.find(hidden.kind) != std::string::npos);
    CHECK_FALSE(answer.not_checked.empty());
    CHECK(answer.fixes.empty());
  }
}

TEST_CASE("what was not read keeps nobody from saying what surely refuses") {
  for (const Hidden& hidden : all_hidden()) {
    Snapshot snapshot = whole();
    hidden.hide(snapshot);
    snapshot.nodes[0].unschedulable = true;
    CAPTURE(hidden.kind);
    const gpu::diagnose::Explanation answer = explained(snapshot);
    CHECK(answer.code == gpu::diagnose::Code::cordoned);
    CHECK(answer.fixes.empty());  // none was tried in full
    for (const auto& remark : answer.remarks)
      CHECK(remark.text.find("no change was found") == std::string::npos);
  }
}

TEST_CASE("whether others keep it away hangs on labels of its namespace that were not read") {
  Pod other = make::running("q", "a");
  other.ns = "other";
  other.placement.pod_anti_affinity = {beside_team()};
  Pod pod = make::waiting("p");
  pod.labels = {{"app", "data"}};
  Snapshot snapshot = make::cluster({make::labelled("a", {{"zone", "z"}})}, {other});
  const auto unread = [&] { return gpu::scheduler::judge(Cluster(snapshot), pod).unread; };
  CHECK(unread().empty());
  snapshot.scheduling.coverages.clear();
  CHECK(unread() == Kinds{"namespaces"});
  snapshot.scheduling.namespaces = {{.name = "ml", .labels = {}}};
  CHECK(unread().empty());  // its own was read, and that is the one that counts
  snapshot.scheduling.namespaces.clear();
  pod.labels = {};
  CHECK(unread().empty());  // the term is about other pods
}

TEST_CASE("a volume of an old kind is its driver's or not: CSINodes say so") {
  Snapshot snapshot = make::seen({make::node("a", 0)}, {});
  snapshot.scheduling.volume_claims = {make::bound_claim("data", "v")};
  snapshot.scheduling.volumes = {make::volume("v", "fast")};
  snapshot.scheduling.volumes[0].legacy_driver = "awsElasticBlockStore";
  snapshot.scheduling.coverages.erase("csinodes");
  const Cluster cluster(snapshot);
  const Pod pod = make::pod_with_claims("p", "", {"data"});
  CHECK(gpu::scheduler::VolumeBinding(cluster, pod).before().unread == Kinds{"csinodes"});
}

TEST_CASE("pods that were not read may be what a spread or an affinity lacks") {
  Pod pod = make::waiting("p");
  pod.labels = {{"app", "x"}};
  pod.placement.spread = {{.max_skew = 1,
                           .topology_key = "zone",
                           .when_unsatisfiable = "DoNotSchedule",
                           .selector = gpu::ObjectSelector{.labels = {{"app", "x"}}}}};
  Snapshot snapshot =
      make::cluster({make::labelled("a", {{"zone", "y"}}), make::labelled("b", {{"zone", "z"}})},
                    {make::running("q", "a", {{"app", "x"}})});
  const auto spread = [&] {
    return make::said(snapshot, pod, gpu::scheduler::Filter::pod_topology_spread);
  };
  CHECK(spread()[0] != "a");
  snapshot.pod_coverage = Coverage::partial;  // of its own namespace all were
  CHECK(spread()[0] != "a");
  snapshot.pod_coverage = Coverage::none;
  CHECK(spread()[0] == "a");
}

}  // namespace cycle_unread_test
