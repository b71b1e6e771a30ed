#include "telemetry/history/history.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kube/config/url.hpp"
#include "kube/http_stub.hpp"

using Catch::Contains;

namespace gpu::telemetry {

using namespace gpu::kube;
namespace {

constexpr const char* kNothing =
    R"({"status":"success","data":{"resultType":"vector","result":[]}})";

std::string answer_of(const std::string& labels, const std::string& value) {
  return R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{)" + labels +
         R"(},"value":[1764600000,")" + value + R"("]}]}})";
}

/// A Prometheus that answers by the first text that is part of the question.
class Told {
 public:
  Told() : stub_([this](const std::string& head, int) { return answer(head); }) {}

  void say(const std::string& part, const std::string& body, const std::string& status = "200 OK") {
    const std::lock_guard lock(mutex_);
    answers_.emplace_back(part, HttpStub::reply(status, "application/json", body));
  }
  /// A pod with two GPUs on the node "gone", from two hours ago until an hour ago.
  void say_pod(Time now) {
    const std::string pod = R"("namespace":"ml","pod":"a","uid":"u-a")";
    const auto text = [&](int hours) {
      return std::to_string((now - std::chrono::hours(hours)).time_since_epoch().count());
    };
    say("kube_pod_status_scheduled_time", answer_of(pod, text(2)));
    say("kube_pod_completion_time", answer_of(pod, text(1)));
    say("kube_pod_owner", answer_of(pod + R"(,"owner_kind":"Job","owner_name":"train-1",)"
                                          R"("owner_is_controller":"true")",
                                    "1"));
    say("kube_job_owner",
        answer_of(R"("namespace":"ml","job_name":"train-1","owner_kind":"CronJob",)"
                  R"("owner_name":"train","owner_is_controller":"true")",
                  "1"));
    say("kube_node_labels", answer_of(R"("node":"gone","label_team":"x",)"
                                      R"("label_node_kubernetes_io_instance_type":"g5.xlarge")",
                                      "1"));
    say("kube_node_info", answer_of(R"("node":"gone","provider_id":"aws:///us-east-1a/i-0")", "1"));
    say("kube_node_status_capacity",
        answer_of(R"("node":"gone","resource":"nvidia_com_gpu")", "4"));
    say("kube_pod_init_container", kNothing);
    say("kube_pod_container_resource_requests",
        answer_of(pod + R"(,"node":"gone","container":"main","resource":"nvidia_com_gpu")", "2"));
  }
  [[nodiscard]] std::string url() const { return stub_.url(); }
  [[nodiscard]] std::vector<std::string> questions() const {
    const std::lock_guard lock(mutex_);
    return questions_;
  }

 private:
  std::string answer(const std::string& head) {
    const std::string target = head.substr(4, head.find(' ', 4) - 4);
    const std::string question = percent_decoded(target);
    const std::lock_guard lock(mutex_);
    questions_.push_back(question);
    for (const auto& [part, reply] : answers_)
      if (question.find(part) != std::string::npos) return reply;
    return HttpStub::reply("200 OK", "application/json", kNothing);
  }

  std::vector<std::pair<std::string, std::string>> answers_;
  mutable std::mutex mutex_;
  std::vector<std::string> questions_;
  HttpStub stub_;
};

/// What is read of it over so many days.
Snapshot read_from(const Told& told, int days = 1) {
  Snapshot snapshot;
  Needs needs;
  needs.metrics.prometheus_url = told.url();
  needs.metrics.since = std::chrono::hours(24 * days);
  Connection connection;
  connection.server = told.url();
  ClientOptions options;
  options.user_agent = "kubectl-gpu/test";
  options.silence_timeout = std::chrono::seconds(5);
  Client client(connection, Environment(), options);
  CollectContext reading(client, needs, snapshot);
  FoundPrometheus found;
  read_history(reading, found);
  return snapshot;
}

Time this_second() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

TEST_CASE("A pod, its owners and its node are put together from all answers") {
  Told told;
  told.say_pod(this_second());
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.gaps.empty());
  CHECK(snapshot.history.coverage == Coverage::whole);
  CHECK(snapshot.history.window == std::chrono::hours(24));
  REQUIRE(snapshot.history.pods.size() == 1);
  const PastPod& pod = snapshot.history.pods.front();
  CHECK(*pod.ended - *pod.scheduled == std::chrono::hours(1));
  REQUIRE(pod.owners.size() == 2);
  CHECK(pod.owners[0].kind == "Job");
  CHECK(pod.owners[1].kind == "CronJob");
  REQUIRE(snapshot.history.nodes.size() == 1);
  const Node& node = snapshot.history.nodes.front();
  CHECK(node.name == "gone");
  CHECK(node.labels == StringMap{{"node.kubernetes.io/instance-type", "g5.xlarge"}});
  CHECK(node.provider_id == "aws:///us-east-1a/i-0");
  CHECK(amount_of(node.capacity, "nvidia.com/gpu") == Quantity::of(4));
}

TEST_CASE("A metric is asked once a day, and fits into an address") {
  Told told;
  told.say_pod(this_second());
  read_from(told, 3);
  std::map<std::string, int> asked;
  for (const std::string& question : told.questions()) {
    ++asked[question.substr(0, question.find("&time="))];
    CHECK(question.size() < 6000);
  }
  for (const auto& [question, times] : asked) CHECK(times <= 3);
  CHECK(told.questions().size() <= 3 * 9);
}

TEST_CASE("Without kube-state-metrics a gap says so, and nothing is made up") {
  const Told told;
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.history.coverage == Coverage::none);
  CHECK_FALSE(snapshot.history.window);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps.front().what, Contains("pods that are gone are not counted"));
  CHECK_FALSE(snapshot.gaps.front().help.empty());
}

TEST_CASE("Where pods are told of and none had GPUs, the history is whole and empty") {
  Told told;
  told.say("count(max_over_time(kube_pod_info", answer_of("", "12"));
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.gaps.empty());
  CHECK(snapshot.history.coverage == Coverage::whole);
  CHECK(snapshot.history.pods.empty());
}

TEST_CASE("A question that is refused leaves a gap, and the rest counts") {
  Told told;
  told.say("kube_pod_owner",
           R"({"status":"error","errorType":"execution","error":"too many samples"})",
           "422 Unprocessable Entity");
  told.say_pod(this_second());
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.history.pods.size() == 1);
  CHECK(snapshot.history.coverage == Coverage::partial);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps.front().why, Contains("too many samples"));
}

TEST_CASE("What is no Prometheus is a gap") {
  Told told;
  told.say("/", "<html>login</html>");
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.history.pods.empty());
  REQUIRE(snapshot.gaps.size() == 1);
}

}  // namespace
}  // namespace gpu::telemetry
