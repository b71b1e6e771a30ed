#include "admission/kai/queue.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace gpu::admission::kai_queue_test {
namespace {

KaiQueue queue(const std::string& name, const std::string& parent, std::optional<Quantity> quota,
               std::optional<Quantity> limit, std::int64_t allocated) {
  const ResourceList held = {{"nvidia.com/gpu", Quantity::of(allocated)}};
  return {.name = name,
          .parent = parent,
          .allowances = {{"nvidia.com/gpu", quota, limit}, {"cpu", {}, {}}, {"memory", {}, {}}},
          .allocated = held,
          .allocated_non_preemptible = ResourceList{}};
}

Pod of_kai(Pod pod, const std::string& name) {
  pod.scheduler_name = "kai-scheduler";
  pod.labels["kai.scheduler/queue"] = name;
  pod.uid = pod.name;
  return pod;
}

struct Asked {
  std::vector<KaiQueue> queues;
  std::vector<Pod> pods = {};
  Pod pod = of_kai(make::waiting("train", 1), "team");
  std::string words = {};
};

std::optional<KaiAnswer> answer_to(const Asked& asked) {
  Snapshot snapshot = make::cluster({make::node("a", 8)}, asked.pods);
  snapshot.scheduling.kai_queues = asked.queues;
  snapshot.scheduling.coverages["queues"] = Coverage::whole;
  return kai_answer(scheduler::Cluster(snapshot), asked.pod, asked.words);
}

std::string command_of(const std::optional<KaiAnswer>& answer) {
  return answer && !answer->advice.empty() ? answer->advice.front().command : "";
}

constexpr std::string_view kPatch =
    "kubectl patch queues.scheduling.run.ai {} --type merge -p "
    "'{\"spec\":{\"resources\":{\"gpu\":{\"";

std::string patch(const std::string& name, const std::string& bound) {
  std::string text(kPatch);
  text.replace(text.find("{}"), 2, name);
  return text + bound + "}}}}'";
}

}  // namespace

TEST_CASE("the first bound of the queue, or of one above it, keeps a pod out") {
  const auto top = queue("top", "", Quantity::of(8), Quantity::of(8), 4);
  const auto full = queue("team", "top", Quantity::of(2), Quantity::of(4), 4);
  CHECK(command_of(answer_to({{full, top}})) == patch("team", "limit\":5"));
  const auto open = queue("team", "top", Quantity::of(2), {}, 4);
  CHECK_FALSE(answer_to({{open, top}})->hold);
  const auto full_top = queue("top", "", Quantity::of(8), Quantity::of(4), 4);
  CHECK(command_of(answer_to({{open, full_top}})) == patch("top", "limit\":5"));
}

TEST_CASE("a quota binds pods that cannot be preempted alone") {
  auto team = queue("team", "top", Quantity::of(1), {}, 1);
  const auto top = queue("top", "", {}, {}, 1);
  team.allocated_non_preemptible = team.allocated;
  Asked asked{{team, top}};
  CHECK_FALSE(answer_to(asked)->hold);
  asked.words = "NonPreemptibleOverQuota: ...";
  CHECK(command_of(answer_to(asked)) == patch("team", "quota\":2"));
  asked.words.clear();
  asked.pod.priority_class = "build";
  asked.pod.priority = 100;
  CHECK(answer_to(asked)->hold);
  asked.pod.priority = 99;
  CHECK_FALSE(answer_to(asked)->hold);
  asked.pod.labels["kai.scheduler/preemptibility"] = "non-preemptible";
  CHECK(answer_to(asked)->hold);
}

TEST_CASE("pods that hold more than the status says count") {
  const auto team = queue("team", "top", {}, Quantity::of(4), 2);
  const auto top = queue("top", "", {}, {}, 2);
  const std::vector<Pod> pods = {of_kai(make::running("one", "a", {}, 2), "team"),
                                 of_kai(make::running("two", "a", {}, 2), "team")};
  CHECK_FALSE(answer_to({{team, top}})->hold);
  CHECK(answer_to({{team, top}, pods})->hold);
}

TEST_CASE("a queue that KAI leaves out holds all its pods back") {
  const auto team = queue("team", "top", {}, {}, 0);
  const auto top = queue("top", "", {}, {}, 0);
  CHECK(answer_to({{top}})->hold->nearest == "Queue team does not exist");
  CHECK(answer_to({{team}})->hold->nearest == "Queue top does not exist");
  CHECK(answer_to({{team, top, queue("part", "team", {}, {}, 0)}})->hold->nearest ==
        "Queue team has Queues below it");
}

TEST_CASE("only pods of KAI with a queue are answered for, and only where queues were read") {
  const auto team = queue("team", "", {}, {}, 0);
  CHECK(answer_to({{team}}));
  CHECK_FALSE(answer_to({{team}, {}, make::waiting("train", 1)}));
  Snapshot snapshot = make::cluster({make::node("a", 8)}, {});
  CHECK_FALSE(
      kai_answer(scheduler::Cluster(snapshot), of_kai(make::waiting("train", 1), "team"), {}));
}

TEST_CASE("queues that name each other as parents come to an end") {
  const auto answer =
      answer_to({{queue("team", "top", {}, {}, 0), queue("top", "team", {}, {}, 0)}});
  REQUIRE(answer);
}

}  // namespace gpu::admission::kai_queue_test
