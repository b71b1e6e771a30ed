#include "telemetry/history/past_pods.hpp"

#include <string>

#include "telemetry/history/told.hpp"

namespace gpu::telemetry::history_past_pods_test {
namespace {

using std::string;

/// A snapshot without anything, and what is told beside it.
struct Told {
  explicit Told(Snapshot of = {})
      : snapshot(std::move(of)), names(snapshot), pods(snapshot, names, at(1'000'000)) {}

  void requests(const string& result) { tell(pods, PodFact::requests, result); }
  void scheduled(const string& result) { tell(pods, PodFact::scheduled, result); }
  void completed(const string& result) { tell(pods, PodFact::completed, result); }
  void seen(const string& result) {
    read_result(result, [this](const Series& one) { pods.add_seen(one); });
  }
  void owner(const string& result) { tell(pods, PodFact::owner, result); }
  std::vector<PastPod> finish() {
    const auto cluster = pods.own_cluster();
    REQUIRE(cluster);
    return pods.finish(*cluster, at(0));
  }

  Snapshot snapshot;
  WrittenNames names;
  PastPods pods;
};

constexpr const char* kPodA = R"("namespace":"ml","pod":"a","uid":"u-a")";

string one(const string& labels, const string& value) {
  return R"([{"metric":{)" + labels + R"(},"value":[1764600000,")" + value + R"("]}])";
}
string requests_a(const string& more, const string& value) {
  return one(
      string(kPodA) + R"(,"node":"gpu-1","container":"main","resource":"nvidia_com_gpu")" + more,
      value);
}

void tell_a(Told& told) {
  told.requests(requests_a("", "2"));
  told.scheduled(one(kPodA, "1764000100"));
  told.seen(one(kPodA, "1764007300.25"));
}

TEST_CASE("A pod that ended is put together from what is told of it") {
  Told told;
  tell_a(told);
  told.completed(one(kPodA, "1764003700"));
  told.owner(one(
      string(kPodA) + R"(,"owner_kind":"Job","owner_name":"train","owner_is_controller":"true")",
      "1"));
  const auto pods = told.finish();
  REQUIRE(pods.size() == 1);
  const PastPod& pod = pods.front();
  CHECK(pod.ns == "ml");
  CHECK(pod.name == "a");
  CHECK(pod.uid == "u-a");
  CHECK(pod.node == "gpu-1");
  CHECK(pod.requests == ResourceList{{"nvidia.com/gpu", Quantity::of(2)}});
  CHECK(pod.scheduled == at(100));
  CHECK(pod.ended == at(3700));
  CHECK(pod.end == PastEnd::completed);
  REQUIRE(pod.owners.size() == 1);
  CHECK(pod.owners.front().kind == "Job");
  CHECK(pod.owners.front().name == "train");
}

TEST_CASE(
    "Requests of a finished pod are reported on: its end is that of the phase, not of the metric") {
  Told told;
  tell_a(told);
  told.completed(one(kPodA, "1764003700"));
  CHECK(told.finish().front().ended == at(3700));
}

TEST_CASE("A pod deleted before its end held its GPUs until it was told of the last time") {
  Told told;
  tell_a(told);
  const auto pods = told.finish();
  REQUIRE(pods.size() == 1);
  CHECK(pods.front().ended == at(7300));
  CHECK(pods.front().end == PastEnd::last_seen);
}

TEST_CASE("What ended when nothing was told of anything may have gone on") {
  Told told;
  tell_a(told);
  told.pods.add_silence(at(7300 + 300), at(12000));
  CHECK(told.finish().front().end == PastEnd::unseen);
  Told before;
  tell_a(before);
  before.pods.add_silence(at(20000), at(24000));
  CHECK(before.finish().front().end == PastEnd::last_seen);
}

TEST_CASE("The last moment is asked of pods whose end nothing else tells, of their last day") {
  Told told;
  tell(told.pods, PodFact::requests, requests_a("", "2"), at(200));
  tell(told.pods, PodFact::init_requests, requests_a("", "2"), at(300));
  tell(told.pods, PodFact::requests, requests_a("", "2"), at(100));
  tell(told.pods, PodFact::owner, one(kPodA, "1"), at(400));
  CHECK(told.pods.endless(at(300)).uids == std::vector<string>{"u-a"});
  CHECK(told.pods.endless(at(200)).uids.empty());
  CHECK(told.pods.endless(at(400)).uids.empty());
  told.completed(one(kPodA, "1764003700"));
  CHECK(told.pods.endless(at(300)).uids.empty());
}

TEST_CASE("Whatever says that there is no owner, there is none") {
  for (const char* const none : {"", "<none>"}) {
    Told told;
    tell_a(told);
    told.owner(one(string(kPodA) + R"(,"owner_kind":")" + none + R"(","owner_name":")" + none +
                       R"(","owner_is_controller":")" + none + '"',
                   "1"));
    tell(told.pods, PodFact::info,
         one(string(kPodA) + R"(,"created_by_kind":")" + none + R"(","created_by_name":")" + none +
                 '"',
             "1"));
    CHECK(told.finish().front().owners.empty());
  }
}

TEST_CASE("An owner that does not control, and a node that controls static pods, own nothing") {
  for (const char* const labels :
       {R"(,"owner_kind":"Job","owner_name":"x","owner_is_controller":"false")",
        R"(,"owner_kind":"Node","owner_name":"gpu-1","owner_is_controller":"true")"}) {
    Told told;
    tell_a(told);
    told.owner(one(string(kPodA) + labels, "1"));
    CHECK(told.finish().front().owners.empty());
  }
}

TEST_CASE("Two instances that tell the same count once") {
  Told told;
  tell_a(told);
  tell_a(told);
  told.requests(requests_a(R"(,"exported_pod":"","instance":"10.0.0.2:8080")", "2"));
  told.seen(one(string(kPodA) + R"(,"instance":"10.0.0.2:8080")", "1764007360"));
  const auto pods = told.finish();
  REQUIRE(pods.size() == 1);
  CHECK(pods.front().requests == ResourceList{{"nvidia.com/gpu", Quantity::of(2)}});
  CHECK(pods.front().ended == at(7360));
}

TEST_CASE("Without honorLabels the pod's own labels are those that were moved away") {
  const string moved =
      R"("namespace":"monitoring","pod":"ksm-0","container":"ksm","node":"cpu-0","uid":"u-a",)"
      R"("exported_namespace":"ml","exported_pod":"a","exported_container":"main")";
  Told told;
  // While it waited it had no node, so that none was moved.
  told.requests(one(moved + R"(,"resource":"nvidia_com_gpu")", "2"));
  told.requests(one(moved + R"(,"exported_node":"gpu-1","resource":"nvidia_com_gpu")", "2"));
  told.requests(one(moved + R"(,"resource":"nvidia_com_gpu")", "2"));
  told.scheduled(one(moved, "1764000100"));
  told.completed(one(moved, "1764003700"));
  const auto pods = told.finish();
  REQUIRE(pods.size() == 1);
  CHECK(pods.front().ns == "ml");
  CHECK(pods.front().name == "a");
  CHECK(pods.front().node == "gpu-1");
  CHECK(pods.front().requests == ResourceList{{"nvidia.com/gpu", Quantity::of(2)}});
}

TEST_CASE("Containers are added up, and the largest init container counts where it is more") {
  const auto request = [](const string& container, const string& resource, const string& value) {
    return one(string(kPodA) + R"(,"node":"gpu-1","container":")" + container +
                   R"(","resource":")" + resource + '"',
               value);
  };
  Told told;
  told.scheduled(one(kPodA, "1764000100"));
  told.requests(request("one", "nvidia_com_gpu", "1"));
  told.requests(request("two", "nvidia_com_gpu", "2"));
  tell(told.pods, PodFact::init_requests, request("load", "nvidia_com_gpu", "4"));
  tell(told.pods, PodFact::init_requests, request("warm", "nvidia_com_gpu", "3"));
  told.requests(request("one", "nvidia_com_mig_1g_5gb", "2"));
  CHECK(told.finish().front().requests == ResourceList{{"nvidia.com/gpu", Quantity::of(4)},
                                                       {"nvidia.com/mig-1g.5gb", Quantity::of(2)}});
}

TEST_CASE("Listed pods, pods that were never bound, and those that ended before are left out") {
  Snapshot snapshot;
  snapshot.pods.push_back({.ns = "ml", .name = "a", .uid = "u-a"});
  Told listed(snapshot);
  tell_a(listed);
  CHECK(listed.finish().empty());

  Told unbound;
  unbound.requests(one(string(kPodA) + R"(,"container":"main","resource":"nvidia_com_gpu")", "2"));
  unbound.seen(one(kPodA, "1764007300"));
  CHECK(unbound.finish().empty());

  Told before;
  tell_a(before);
  before.completed(one(kPodA, "1763999000"));
  CHECK(before.finish().empty());
}

TEST_CASE("A pod of the same name and another uid is another pod") {
  Snapshot snapshot;
  snapshot.pods.push_back({.ns = "ml", .name = "a", .uid = "u-new"});
  Told told(snapshot);
  tell_a(told);
  CHECK(told.finish().size() == 1);
}

TEST_CASE("Of several clusters the one counts whose pods or nodes are here") {
  const string other =
      string(kPodA) +
      R"(,"cluster":"west","node":"gpu-9","container":"c","resource":"nvidia_com_gpu")";
  const string own =
      R"("namespace":"ml","pod":"b","uid":"u-b","cluster":"east","node":"gpu-1","container":"c",)"
      R"("resource":"nvidia_com_gpu")";
  Snapshot snapshot;
  snapshot.nodes.emplace_back();
  snapshot.nodes.back().name = "gpu-1";
  Told told(snapshot);
  told.requests(one(other, "1"));
  told.requests(one(own, "1"));
  CHECK(told.pods.clusters().size() == 2);
  const auto pods = told.finish();
  REQUIRE(pods.size() == 1);
  CHECK(pods.front().name == "b");

  Told unknown;
  unknown.requests(one(other, "1"));
  unknown.requests(one(own, "1"));
  CHECK_FALSE(unknown.pods.own_cluster());
}

TEST_CASE("Values that cannot be are no values") {
  Told told;
  for (const char* const value : {"NaN", "-1", "0", "+Inf", "1e300"}) {
    told.requests(requests_a("", value));
    told.scheduled(one(kPodA, value));
    told.completed(one(kPodA, value));
  }
  told.requests(requests_a("", "1"));
  const auto pods = told.finish();
  REQUIRE(pods.size() == 1);
  CHECK(pods.front().requests == ResourceList{{"nvidia.com/gpu", Quantity::of(1)}});
  CHECK_FALSE(pods.front().scheduled);
  CHECK_FALSE(pods.front().ended);
}

}  // namespace
}  // namespace gpu::telemetry::history_past_pods_test
