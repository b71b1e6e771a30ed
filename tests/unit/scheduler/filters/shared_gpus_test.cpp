#include "scheduler/filters/shared_gpus.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cluster/overlay.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace filters_shared_gpus_test {

using namespace gpu;
using namespace gpu::scheduler;
using Lines = std::vector<std::string>;

namespace {

SharedCard card(std::string uuid) {
  return {.by = SharingStrategy::hami,
          .uuid = std::move(uuid),
          .type = "NVIDIA-Tesla T4",
          .slots = 4,
          .memory_mib = 16000,
          .cores = 100,
          .is_healthy = true};
}

Node hami(std::vector<SharedCard> cards) {
  Node made = make::node("a", static_cast<std::int64_t>(cards.size()) * 4);
  made.annotations = {{"hami.io/node-nvidia-register", "..."}};
  made.shared_cards = std::move(cards);
  return made;
}

Pod asking(std::int64_t memory, std::int64_t cores = 0, std::int64_t gpus = 1) {
  Pod pod = make::waiting("p", gpus);
  pod.scheduler_name = "hami-scheduler";
  if (memory > 0) pod.containers[0].requests.set("nvidia.com/gpumem", Quantity::of(memory));
  if (cores > 0) pod.containers[0].requests.set("nvidia.com/gpucores", Quantity::of(cores));
  return pod;
}

Pod holding(std::string name, const std::string& uuid, std::int64_t memory,
            std::int64_t cores = 0) {
  Pod pod = make::running(std::move(name), "a", {}, 1);
  pod.card_shares = {
      {.by = SharingStrategy::hami, .card = uuid, .memory_mib = memory, .cores = cores}};
  return pod;
}

/// Why each GPU of the one node refuses.
std::vector<GpuRefusal> refusals(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  const Overlay overlay(cluster);
  std::vector<GpuRefusal> all;
  for (const SharedGpu& gpu : SharedGpus(cluster, pod).gpus(overlay.view(0)))
    all.push_back(gpu.refusal);
  return all;
}

GpuRefusal refusal(SharedCard of, const std::vector<Pod>& pods, const Pod& pod) {
  return refusals(make::cluster({hami({std::move(of)})}, pods), pod).front();
}

Lines said(const Snapshot& snapshot, const Pod& pod) {
  return make::said(snapshot, pod, Filter::shared_gpus);
}

}  // namespace

TEST_CASE("HAMi looks at each card: its type, health, slots, memory and compute") {
  CHECK(refusal(card("x"), {}, asking(4000)) == GpuRefusal::none);
  CHECK(refusal(card("x"), {holding("h", "x", 12001)}, asking(4000)) == GpuRefusal::memory);
  CHECK(refusal(card("x"), {holding("h", "x", 12000)}, asking(4000)) == GpuRefusal::none);
  CHECK(refusal(card("x"), {holding("h", "x", 1, 80)}, asking(1, 21)) == GpuRefusal::cores);
  CHECK(refusal(card("x"), {holding("h", "x", 1, 0)}, asking(1, 100)) == GpuRefusal::not_alone);
  CHECK(refusal(card("x"), {holding("h", "x", 1, 100)}, asking(1)) == GpuRefusal::no_compute);
  SharedCard full = card("x");
  full.slots = 1;
  CHECK(refusal(full, {holding("h", "x", 1)}, asking(1)) == GpuRefusal::slots);
  SharedCard sick = card("x");
  sick.is_healthy = false;
  CHECK(refusal(sick, {}, asking(1)) == GpuRefusal::unhealthy);
  Pod typed = asking(1);
  typed.annotations = {{"nvidia.com/use-gputype", "a100, t4"}};
  CHECK(refusal(card("x"), {}, typed) == GpuRefusal::none);
  typed.annotations = {{"nvidia.com/nouse-gputype", "T4"}};
  CHECK(refusal(card("x"), {}, typed) == GpuRefusal::type);
  typed.annotations = {{"nvidia.com/use-gpuuuid", "y,z"}};
  CHECK(refusal(card("x"), {}, typed) == GpuRefusal::uuid);
}

TEST_CASE("a container that names no memory wants all of a card, or a percentage") {
  CHECK(refusal(card("x"), {holding("h", "x", 1)}, asking(0)) == GpuRefusal::memory);
  Pod half = asking(0);
  half.containers[0].requests.set("nvidia.com/gpumem-percentage", Quantity::of(50));
  CHECK(refusal(card("x"), {holding("h", "x", 8000)}, half) == GpuRefusal::none);
  CHECK(refusal(card("x"), {holding("h", "x", 8001)}, half) == GpuRefusal::memory);
}

TEST_CASE("several GPUs of one container are several cards") {
  const Snapshot one = make::cluster({hami({card("x")})});
  CHECK(said(one, asking(1000, 0, 2)) == Lines{"a: NodeUnfitPod"});
  const Snapshot two = make::cluster({hami({card("x"), card("y")})});
  CHECK(said(two, asking(1000, 0, 2)) == Lines{"a"});
}

TEST_CASE("what HAMi hands out is not compared with what nodes advertise") {
  const Snapshot snapshot = make::cluster({hami({card("x")})});
  const Cluster cluster(snapshot);
  CHECK(judge(cluster, asking(4000, 30)).fits());
  CHECK(is_left_to_hami(cluster, asking(1), "nvidia.com/gpumem"));
  CHECK_FALSE(is_left_to_hami(cluster, asking(1), "nvidia.com/gpu"));
  Pod other = asking(4000);
  other.scheduler_name = "default-scheduler";
  CHECK_FALSE(judge(cluster, other).fits());  // no scheduler of HAMi is seen, and so no webhook
  Pod scheduler = make::running("hami-scheduler-0", "a", {}, 0);
  const Snapshot with = make::cluster({hami({card("x")})}, {scheduler});
  CHECK(judge(Cluster(with), other).fits());  // not created yet: it will get that scheduler
  other.created = Time{};
  CHECK(goes_round_hami(cluster, other, "nvidia.com/gpumem"));
  CHECK_FALSE(judge(cluster, other).fits());
  const Snapshot without = make::cluster({make::node("a", 4)});
  CHECK_FALSE(judge(Cluster(without), asking(4000)).fits());
}

TEST_CASE("Volcano's vGPUs are parts of its cards") {
  SharedCard own = card("x");
  own.by = SharingStrategy::volcano;
  Node node = make::node("a", 4, "volcano.sh/vgpu-number");
  node.shared_cards = {own};
  Pod holder = make::running("h", "a");
  holder.containers[0].requests.set("volcano.sh/vgpu-number", Quantity::of(1));
  holder.card_shares = {{.by = SharingStrategy::volcano, .card = "x", .memory_mib = 12001}};
  Pod pod = make::waiting("p");
  pod.scheduler_name = "volcano";
  pod.containers[0].requests.set("volcano.sh/vgpu-number", Quantity::of(1));
  pod.containers[0].requests.set("volcano.sh/vgpu-memory", Quantity::of(4000));
  CHECK(refusals(make::cluster({node}, {holder}), pod) ==
        std::vector<GpuRefusal>{GpuRefusal::memory});
  CHECK(refusals(make::cluster({node}), pod) == std::vector<GpuRefusal>{GpuRefusal::none});
}

TEST_CASE("when pods end, their parts are free again") {
  const Snapshot snapshot = make::cluster({hami({card("x")})}, {holding("h", "x", 16000)});
  CHECK(said(snapshot, asking(4000)) == Lines{"a: NodeUnfitPod"});
  CHECK(make::said(snapshot, asking(4000), Filter::shared_gpus,
                   {.ended = {&snapshot.pods.front()}}) == Lines{"a"});
}

namespace {

Pod fraction(const char* key, const char* value) {
  Pod pod = make::waiting("p", 0);
  pod.scheduler_name = "kai-scheduler";
  pod.annotations = {{key, value}};
  return pod;
}

Pod sharer(std::string name, const char* part) {
  Pod pod = make::running(std::move(name), "a", {{"runai-gpu-group", "g1"}}, 0);
  pod.scheduler_name = "kai-scheduler";
  pod.annotations = {{"gpu-fraction", part}};
  return pod;
}

Pod reservation() {
  return make::running("gpu-reservation-1", "a", {{"runai-gpu-group", "g1"}}, 1);
}

}  // namespace

TEST_CASE("KAI gives parts of GPUs that pods share, and of free ones") {
  const std::vector<Pod> pods = {reservation(), sharer("x", "0.5"), sharer("y", "0.2")};
  const Snapshot one = make::cluster({make::node("a", 1)}, pods);
  CHECK(said(one, fraction("gpu-fraction", "0.3")) == Lines{"a"});
  CHECK(said(one, fraction("gpu-fraction", "0.4")) ==
        Lines{"a: node(s) didn't have enough resources: GPUs"});
  const Snapshot two = make::cluster({make::node("a", 2)}, pods);
  CHECK(said(two, fraction("gpu-fraction", "0.4")) == Lines{"a"});
  Pod both = fraction("gpu-fraction", "0.3");
  both.annotations.set("gpu-fraction-num-devices", "2");
  CHECK(said(two, both) == Lines{"a"});
  CHECK(said(one, both) == Lines{"a: node(s) didn't have enough resources: GPUs!"});
}

TEST_CASE("KAI knows the memory of a GPU by the node's label alone") {
  const std::string refused = "a: node(s) didn't have enough resources: GPU memory!";
  CHECK(said(make::cluster({make::node("a", 1)}), fraction("gpu-memory", "8000")) ==
        Lines{refused});
  const Snapshot labelled =
      make::cluster({make::labelled("a", {{"nvidia.com/gpu.memory", "16000"}}, 1)});
  CHECK(said(labelled, fraction("gpu-memory", "8000")) == Lines{"a"});
  CHECK(said(labelled, fraction("gpu-memory", "16001")) ==
        Lines{"a: node(s) didn't have enough resources: GPUs"});
}

namespace {

std::optional<TakenParts> taken(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  const Overlay overlay(cluster);
  return SharedGpus(cluster, pod).taken_on(overlay.view(0));
}

}  // namespace

TEST_CASE("a pod gets its parts of the first cards with room, under KAI of the fullest GPUs") {
  const Snapshot cards = make::cluster({hami({card("x"), card("y")})}, {holding("h", "x", 15000)});
  CHECK(taken(cards, asking(4000, 30))->shares ==
        std::vector<CardShare>{
            {.by = SharingStrategy::hami, .card = "y", .memory_mib = 4000, .cores = 30}});
  const Snapshot gpus = make::cluster({make::node("a", 2)}, {reservation(), sharer("s", "0.5")});
  CHECK(taken(gpus, fraction("gpu-fraction", "0.5"))->groups == Lines{"g1"});
  CHECK(taken(gpus, fraction("gpu-fraction", "0.6"))->groups == Lines{""});
  Pod both = fraction("gpu-fraction", "0.3");
  both.annotations.set("gpu-fraction-num-devices", "2");
  CHECK(taken(gpus, both)->groups == Lines{"g1", ""});
  CHECK(taken(gpus, make::waiting("whole"))->groups.empty());
}

TEST_CASE("annotations that cannot be read leave open what fits") {
  const auto decided = [](const Snapshot& snapshot) {
    return judge(Cluster(snapshot), asking(4000)).decided();
  };
  CHECK(decided(make::cluster({hami({card("x")})})) == 1);
  const Snapshot unread = make::cluster({hami({})});
  CHECK(decided(unread) == 0);
  CHECK(judge(Cluster(unread), asking(4000)).not_checked.size() == 2);
  CHECK_FALSE(taken(unread, asking(4000)));
  Node none = make::node("a", 4);
  none.annotations = {{"hami.io/node-nvidia-register", "[]"}};
  Node other = hami({card("x")});
  other.name = "b";
  CHECK(said(make::cluster({none, other}), asking(4000)) == Lines{"a: node unregistered", "b"});
  Pod holder = make::running("h", "a", {}, 1);
  holder.annotations = {{"hami.io/vgpu-devices-allocated", "x,NVIDIA"}};
  CHECK(decided(make::cluster({hami({card("x")})}, {holder})) == 0);
  holder.annotations = {{"hami.io/vgpu-devices-allocated", ";;"}};
  CHECK(decided(make::cluster({hami({card("x")})}, {holder})) == 1);
}

}  // namespace filters_shared_gpus_test
