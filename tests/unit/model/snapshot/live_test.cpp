#include "model/snapshot/live.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "make.hpp"

namespace snapshot_live_test {

using namespace gpu;

namespace {

bool is_kept(const Pod& pod) { return pod.name.ends_with('3') || pod.phase == "Failed"; }

/// What there is in the cluster.
struct Objects {
  std::map<std::string, Node> nodes;
  std::map<std::string, Pod> pods;
  std::map<std::string, ResourceSlice> slices;
  std::map<std::string, ResourceClaim> claims;
  std::map<std::string, DeviceClass> classes;
};

Snapshot empty_snapshot() {
  Snapshot snapshot{.node_coverage = Coverage::whole, .pod_coverage = Coverage::whole};
  snapshot.waiting.emplace();
  return snapshot;
}

/// What a fresh list of `objects` would give.
Snapshot folded(const Objects& objects) {
  Snapshot snapshot = empty_snapshot();
  Fold fold(snapshot, is_kept);
  for (const auto& [name, node] : objects.nodes) fold.add(Node(node));
  for (const auto& [key, pod] : objects.pods) fold.add(pod);
  for (const auto& [name, slice] : objects.slices) snapshot.slices.push_back(slice);
  for (const auto& [key, claim] : objects.claims) snapshot.claims.push_back(claim);
  for (const auto& [name, one] : objects.classes) snapshot.device_classes.push_back(one);
  fold.finish();
  return snapshot;
}

void check_equal(const Snapshot& live, const Snapshot& fresh) {
  CHECK((live.nodes == fresh.nodes));
  CHECK((live.pods == fresh.pods));
  CHECK((live.sums == fresh.sums));
  CHECK((live.waiting == fresh.waiting));
  CHECK((live.controlled == fresh.controlled));
  CHECK((live.slices == fresh.slices));
  CHECK((live.claims == fresh.claims));
  CHECK((live.device_classes == fresh.device_classes));
}

/// Random objects, from few names so that they meet again.
class Source {
 public:
  explicit Source(unsigned seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  std::string name(const char* stem) { return stem + std::to_string(below(12)); }

  Node node() {
    Node node = make::node(name("node"), below(3));
    node.unschedulable = below(2) == 0;
    return node;
  }
  Pod pod() {
    static const std::vector<std::string> kResources = {"nvidia.com/gpu", "cpu",
                                                        "nvidia.com/mig-1g.10gb", "example.com/x"};
    Pod pod = make::pod(name("pod"), below(4) == 0 ? "" : name("node"), 0);
    pod.ns = below(2) == 0 ? "ml" : "web";
    pod.uid = key_of(pod.ns, pod.name);
    for (int i = below(3); i > 0; --i)  // 0 of something is an entry too
      pod.containers.front().requests.set(kResources[static_cast<std::size_t>(below(4))],
                                          Quantity::of_milli(below(4) * 500));
    if (below(30) == 0)
      pod.containers.front().requests.set("nvidia.com/gpu", Quantity::of(INT64_MAX));
    static const std::vector<std::string> kPhases = {"Pending", "Running", "Running", "Succeeded",
                                                     "Failed"};
    pod.phase = kPhases[static_cast<std::size_t>(below(5))];
    if (below(6) == 0) pod.deleted = Time{};
    if (below(3) == 0) pod.reason = "UnexpectedAdmissionError";
    pod.created = Time{std::chrono::seconds{below(9)}};
    if (const std::string uid = pod.ns + name("rs"); below(2) == 0)
      pod.owners = {{.kind = "ReplicaSet", .name = uid, .uid = uid, .controller = true}};
    return pod;
  }
  ResourceSlice slice() {
    return {.name = name("slice"), .driver = "gpu.nvidia.com", .generation = below(3)};
  }
  ResourceClaim claim() {
    return {
        .ns = below(2) == 0 ? "ml" : "web", .name = name("claim"), .is_allocated = below(2) == 0};
  }

 private:
  std::mt19937 random_;
};

void change_something(Source& source, Objects& objects, LiveSnapshot& live) {
  const bool removes = source.below(3) == 0;
  switch (source.below(7)) {
    case 0: {
      Node node = source.node();
      if (removes) {
        objects.nodes.erase(node.name);
        live.remove_node(node.name);
      } else {
        objects.nodes[node.name] = node;
        live.set(std::move(node));
      }
      return;
    }
    case 1: {
      ResourceSlice slice = source.slice();
      if (removes) {
        objects.slices.erase(slice.name);
        live.remove_slice(slice.name);
      } else {
        objects.slices[slice.name] = slice;
        live.set(std::move(slice));
      }
      return;
    }
    case 2: {
      ResourceClaim claim = source.claim();
      const std::string key = key_of(claim.ns, claim.name);
      if (removes) {
        objects.claims.erase(key);
        live.remove_claim(claim.ns, claim.name);
      } else {
        objects.claims[key] = claim;
        live.set(std::move(claim));
      }
      return;
    }
    case 3: {
      DeviceClass one{.name = source.name("class"), .selectors = {source.name("cel")}};
      if (removes) {
        objects.classes.erase(one.name);
        live.remove_class(one.name);
      } else {
        objects.classes[one.name] = one;
        live.set(std::move(one));
      }
      return;
    }
    default: {
      const Pod pod = source.pod();
      if (removes) {
        objects.pods.erase(key_of(pod.ns, pod.name));
        live.remove_pod(pod.ns, pod.name);
      } else {
        objects.pods[key_of(pod.ns, pod.name)] = pod;
        live.set(pod);
      }
    }
  }
}

/// Half of the objects go unseen, and a list says so.
void list_again(Source& source, Objects& objects, LiveSnapshot& live) {
  const auto thin_out = [&](auto& map) {
    LiveSnapshot::Keys keys;
    std::erase_if(map, [&](const auto&) { return source.below(2) == 0; });
    for (const auto& [key, object] : map) keys.insert(key);
    return keys;
  };
  live.retain_nodes(thin_out(objects.nodes));
  live.retain_slices(thin_out(objects.slices));
  live.retain_claims(thin_out(objects.claims));
  live.retain_classes(thin_out(objects.classes));
  live.retain_pods(thin_out(objects.pods), "");
}

}  // namespace

TEST_CASE("after any events a live snapshot is what a fresh list gives") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Source source(seed);
    Objects objects;
    LiveSnapshot live(empty_snapshot(), is_kept);
    for (int event = 0; event < 1040; ++event) {
      if (event % 250 == 249)
        list_again(source, objects, live);
      else
        change_something(source, objects, live);
      if (event % 50 == 49) check_equal(live.snapshot(), folded(objects));
    }
    CHECK_FALSE(objects.pods.empty());
    CHECK_FALSE(objects.nodes.empty());
  }
}

TEST_CASE("an event that changes nothing that is asked for says so") {
  LiveSnapshot live(empty_snapshot());
  Pod pod = make::pod("a", "node", 1);
  CHECK(live.set(pod) == Changed::yes);
  pod.labels.set("touched", "yes");
  CHECK(live.set(pod) == Changed::no);
  CHECK(live.set(make::node("node", 8)) == Changed::yes);
  CHECK(live.set(make::node("node", 8)) == Changed::no);
  CHECK(live.remove_pod("ml", "b") == Changed::no);
  CHECK(live.remove_pod("ml", "a") == Changed::yes);
  CHECK(live.snapshot().sums.empty());
}

TEST_CASE("a list of one namespace leaves the others alone") {
  LiveSnapshot live(empty_snapshot());
  Pod other = make::pod("a", "node", 1);
  other.ns = "ml-other";
  live.set(make::pod("a", "node", 1));
  live.set(other);
  CHECK(live.retain_pods({}, "ml/") == Changed::yes);
  REQUIRE(sums_of(live.snapshot(), "node") != nullptr);
  CHECK(sums_of(live.snapshot(), "node")->pods == 1);
  CHECK(live.retain_pods({"ml-other/a"}, "ml-other/") == Changed::no);
}

}  // namespace snapshot_live_test
