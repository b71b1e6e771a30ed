#include <catch2/catch.hpp>

#include "quota/world.hpp"

namespace gpu::quota::quota_resource_quotas_test {
namespace {

using make::quota_snapshot;
using make::resource_quota;
using make::row_of;

TEST_CASE("a quota's use is what its controller wrote, held against what pods request") {
  Snapshot snapshot =
      quota_snapshot({make::node("a", 8)}, {make::pod("one", "a", 2), make::pod("two", "", 1)});
  snapshot.scheduling.quotas.push_back(resource_quota("gpus", "requests.nvidia.com/gpu", 8, 5));
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "gpus");
  CHECK(row.used == Quantity::of(5));
  CHECK(row.reported.used == Quantity::of(5));
  CHECK(row.counted.used == Quantity::of(3));  // a pod that waits counts, too
  CHECK(row.free == Quantity::of(3));
  CHECK(differs(row));
  CHECK(row.state == State::ok);
}

TEST_CASE("a quota that nobody has counted yet is counted here") {
  Snapshot snapshot = quota_snapshot({make::node("a", 8)}, {make::pod("one", "a", 2)});
  snapshot.scheduling.quotas.push_back(resource_quota("gpus", "requests.nvidia.com/gpu", 2));
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "gpus");
  CHECK(row.used == Quantity::of(2));
  CHECK_FALSE(row.reported.used);
  CHECK_FALSE(differs(row));
  CHECK(row.state == State::full);
}

TEST_CASE("without all pods nothing is counted, and use may be unknown") {
  Snapshot snapshot = quota_snapshot({make::node("a", 8)});
  snapshot.pod_coverage = Coverage::partial;
  snapshot.scheduling.quotas.push_back(resource_quota("gpus", "requests.nvidia.com/gpu", 2));
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "gpus");
  CHECK_FALSE(row.counted.used);
  CHECK_FALSE(row.used);
  CHECK_FALSE(row.free);
  CHECK(row.state == State::unknown);
}

TEST_CASE("scopes choose the pods that a quota counts") {
  Pod timed = make::pod("timed", "a", 2);
  timed.has_deadline = true;
  Snapshot snapshot = quota_snapshot({make::node("a", 8)}, {timed, make::pod("other", "a", 1)});
  ResourceQuota quota = resource_quota("timed-only", "requests.nvidia.com/gpu", 8);
  quota.scopes.push_back({.name = "Terminating", .op = "Exists", .values = {}});
  snapshot.scheduling.quotas.push_back(quota);
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK(row_of(answer, "timed-only").counted.used == Quantity::of(2));
  // Nothing limits the other pod.
  const QuotaRow& open = row_of(answer, "ml");
  CHECK(open.limiter == Limiter::name_space);
  CHECK(open.used == Quantity::of(1));
  CHECK(open.state == State::no_quota);
}

TEST_CASE("a pod that ended does not count, and one that cannot end may or may not") {
  Pod ended = make::pod("ended", "a", 2);
  ended.phase = "Succeeded";
  Pod ending = make::pod("ending", "a", 1);
  ending.deleted = parse_time("2026-11-30T11:59:00Z");
  Snapshot snapshot = quota_snapshot({make::node("a", 8)}, {ended});
  snapshot.scheduling.quotas.push_back(resource_quota("gpus", "requests.nvidia.com/gpu", 8));
  CHECK(row_of(quota_answer(snapshot, {}), "gpus").counted.used == Quantity{});
  snapshot.pods.push_back(ending);
  CHECK_FALSE(row_of(quota_answer(snapshot, {}), "gpus").counted.used);
  snapshot.pods.back().deleted = parse_time("2026-11-30T09:00:00Z");
  CHECK(row_of(quota_answer(snapshot, {}), "gpus").counted.used == Quantity{});
}

TEST_CASE("keys that count nothing") {
  struct Case {
    std::string key;
    Problem problem;
    State state;
    std::string suggestion;
  };
  const std::vector<Case> cases = {
      {"limits.nvidia.com/gpu", Problem::limits_of_extended, State::no_effect,
       "requests.nvidia.com/gpu"},
      {"nvidia.com/gpu", Problem::without_requests, State::no_effect, "requests.nvidia.com/gpu"},
      {"requests.nvidia.com/gpus", Problem::not_advertised, State::ok, "requests.nvidia.com/gpu"},
      {"requests.nvdia.com/gpu", Problem::not_advertised, State::ok, "requests.nvidia.com/gpu"},
      {"requests.habana.ai/gaudi", Problem::not_advertised, State::ok, ""},
      {"requests.nvidia.com/mig-1g.10gb", Problem::not_advertised, State::ok, ""},
      {"requests.amd.com/gpus", Problem::not_advertised, State::ok, "requests.amd.com/gpu"},
      {"amd.com/gpus", Problem::without_requests, State::no_effect, "requests.amd.com/gpu"},
      {"count/jobs", Problem::wrong_group, State::no_effect, "count/jobs.batch"},
      {"requests.nvidia.com/gpu", Problem::none, State::ok, ""},
  };
  for (const Case& each : cases) {
    CAPTURE(each.key);
    Snapshot snapshot = quota_snapshot({make::node("a", 8)});
    snapshot.scheduling.quotas.push_back(resource_quota("q", each.key, 4));
    const QuotaAnswer answer = quota_answer(snapshot, {});
    const QuotaRow& row = row_of(answer, "q");
    CHECK(row.problem == each.problem);
    CHECK(row.state == each.state);
    CHECK(row.suggestion == each.suggestion);
    CHECK(row.used.has_value() == (each.state != State::no_effect));
    CHECK(is_wrong(row) == !each.suggestion.empty());
  }
}

TEST_CASE("keys that are not about devices have no row") {
  for (const char* const key : {"pods", "requests.cpu", "requests.nvidia.com/gpumem",
                                "count/jobs.batch", "requests.example.com/fpga"}) {
    CAPTURE(key);
    Snapshot snapshot = quota_snapshot({make::node("a", 8)});
    snapshot.scheduling.quotas.push_back(resource_quota("q", key, 4));
    CHECK(quota_answer(snapshot, {}).rows.empty());
  }
}

TEST_CASE("a limit of 0 keeps away what may come, and without nodes no name is called wrong") {
  Snapshot snapshot = quota_snapshot({make::node("a", 8)});
  snapshot.scheduling.quotas.push_back(resource_quota("q", "requests.amd.com/gpu", 0, 0));
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK(row_of(answer, "q").problem == Problem::none);
  CHECK(row_of(answer, "q").state == State::full);
  snapshot.scheduling.quotas.back() = resource_quota("q", "requests.amd.com/gpu", 2, 0);
  snapshot.node_coverage = Coverage::none;
  CHECK(row_of(quota_answer(snapshot, {}), "q").problem == Problem::none);
}

TEST_CASE("an owner whose pods a full quota refuses waits there, until its pods are made") {
  Snapshot snapshot = quota_snapshot({make::node("a", 8)}, {make::pod("one", "a", 4)});
  snapshot.scheduling.quotas.push_back(resource_quota("gpus", "requests.nvidia.com/gpu", 4, 4));
  Event refused{.ns = "ml", .type = "Warning", .reason = "FailedCreate"};
  refused.message =
      "Error creating: pods \"train-x\" is forbidden: exceeded quota: gpus, requested: "
      "requests.nvidia.com/gpu=2, used: requests.nvidia.com/gpu=4, limited: "
      "requests.nvidia.com/gpu=4";
  refused.kind = "Job";
  refused.object = "train";
  refused.first = parse_time("2026-11-30T11:00:00Z");
  snapshot.scheduling.events.push_back(refused);
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK(row_of(answer, "gpus").waiting == 1);
  CHECK(row_of(answer, "gpus").waiting_units == Quantity::of(2));
  REQUIRE(answer.waits.size() == 1);
  CHECK(answer.waits.front().queue == "ml/gpus");
  CHECK(answer.waits.front().waiting.front().name == "train");
  CHECK(answer.waits.front().waiting.front().since == std::chrono::hours{1});
  REQUIRE(answer.waits.front().holders.size() == 1);
  CHECK(answer.waits.front().holders.front().name == "one");

  Event made = refused;
  made.reason = "SuccessfulCreate";
  made.message = "Created pod: train-y";
  snapshot.scheduling.events.push_back(made);
  CHECK(quota_answer(snapshot, {}).waits.empty());
  snapshot.scheduling.events.pop_back();
  snapshot.scheduling.quotas.front().hard.set("requests.nvidia.com/gpu", Quantity::of(8));
  CHECK(quota_answer(snapshot, {}).waits.empty());
}

/// A full quota of "gpus" that refuses pods of 2 GPUs, of one owner that has one pod.
Snapshot refusing(RefusedOwner owner) {
  Pod one = make::pod("one", "a", 4);
  one.owners.push_back({.kind = owner.kind, .name = owner.name, .uid = "u", .controller = true});
  Snapshot snapshot = quota_snapshot({make::node("a", 8)}, {one});
  snapshot.scheduling.quotas.push_back(resource_quota("gpus", "requests.nvidia.com/gpu", 4, 4));
  Event refused{.ns = "ml", .type = "Warning", .reason = "FailedCreate"};
  refused.message =
      "Error creating: pods \"x\" is forbidden: exceeded quota: gpus, requested: "
      "requests.nvidia.com/gpu=2, used: requests.nvidia.com/gpu=4, limited: "
      "requests.nvidia.com/gpu=4";
  refused.kind = owner.kind;
  refused.object = owner.name;
  snapshot.scheduling.events.push_back(refused);
  snapshot.scheduling.refused_owners.push_back(std::move(owner));
  return snapshot;
}

TEST_CASE("each pod that a refused owner lacks is counted") {
  RefusedOwner owner{.ns = "ml", .kind = "ReplicaSet", .name = "serve-5d", .uid = "u"};
  owner.wanted = 3;
  owner.controller = OwnerReference{.kind = "Deployment", .name = "serve", .controller = true};
  const QuotaAnswer answer = quota_answer(refusing(owner), {});
  CHECK(row_of(answer, "gpus").waiting == 2);
  CHECK(row_of(answer, "gpus").waiting_units == Quantity::of(4));
  REQUIRE(answer.waits.size() == 1);
  const Party& party = answer.waits.front().waiting.front();
  CHECK(party.kind == "Deployment");
  CHECK(party.name == "serve");
  CHECK(party.missing_pods == 2);
  CHECK(party.units == Quantity::of(4));
}

TEST_CASE("an owner that has its pods, or is gone, is not refused any more") {
  RefusedOwner owner{.ns = "ml", .kind = "ReplicaSet", .name = "serve-5d", .uid = "u"};
  owner.wanted = 1;
  CHECK(quota_answer(refusing(owner), {}).waits.empty());
  owner.wanted.reset();
  owner.is_gone = true;
  const QuotaAnswer gone = quota_answer(refusing(owner), {});
  CHECK(gone.waits.empty());
  CHECK(row_of(gone, "gpus").waiting == 0);
}

TEST_CASE("of an owner that was not read, or where pods were not, one pod is known to be refused") {
  RefusedOwner owner{.ns = "ml", .kind = "ReplicaSet", .name = "serve-5d", .uid = "u"};
  const QuotaAnswer unknown = quota_answer(refusing(owner), {});
  CHECK(row_of(unknown, "gpus").waiting == 1);
  CHECK_FALSE(unknown.waits.front().waiting.front().missing_pods);
  owner.wanted = 3;
  Snapshot partial = refusing(owner);
  partial.pod_coverage = Coverage::partial;
  CHECK(row_of(quota_answer(partial, {}), "gpus").waiting == 1);
}

TEST_CASE("HAMi's quotas are HAMi's to enforce") {
  Snapshot snapshot = quota_snapshot({make::node("a", 8)});
  ResourceQuota quota = resource_quota("hami", "limits.nvidia.com/gpu", 4);
  quota.hard.set("limits.nvidia.com/gpumem", Quantity::of(40960));
  snapshot.scheduling.quotas.push_back(quota);
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "hami");
  CHECK(row.problem == Problem::none);
  CHECK(row.state == State::unknown);
  CHECK_FALSE(is_wrong(row));
}

TEST_CASE("devices of claims are as the quota's status says, and who waits for them is not known") {
  Snapshot snapshot = quota_snapshot({make::node("a", 8)});
  snapshot.scheduling.quotas.push_back(
      resource_quota("claims", "gpu.nvidia.com.deviceclass.resource.k8s.io/devices", 4, 3));
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "claims");
  CHECK(row.used == Quantity::of(3));
  CHECK_FALSE(row.counted.used);
  CHECK_FALSE(row.waiting);
  CHECK(not_counted(answer) == std::vector<std::string>{"ml/claims"});
}

TEST_CASE("what is no refusal of a quota is none") {
  for (const char* const message :
       {"", "exceeded quota: gpus", "exceeded quota: gpus, used: a=1, requested: b=2",
        "exceeded quota: , requested: =, used: ", "exceeded quota: gpus, requested: x, used: y",
        "exceeded quota: gpus, requested: requests.nvidia.com/gpu=ten, used: y"}) {
    CAPTURE(message);
    Snapshot snapshot = quota_snapshot({make::node("a", 8)});
    snapshot.scheduling.quotas.push_back(resource_quota("gpus", "requests.nvidia.com/gpu", 0, 0));
    Event event{.ns = "ml", .reason = "FailedCreate"};
    event.message = message;
    snapshot.scheduling.events.push_back(event);
    CHECK(quota_answer(snapshot, {}).waits.empty());
  }
}

}  // namespace
}  // namespace gpu::quota::quota_resource_quotas_test
