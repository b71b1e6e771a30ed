#include "telemetry/history/history.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kube/config/url.hpp"
#include "kube/http_stub.hpp"

namespace gpu::telemetry::history_history_test {

using Catch::Contains;

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

  /// From when until when the cluster is told of.
  void say_span(Time first, Time last) {
    const auto edge = [](const char* name, Time time) {
      return R"({"metric":{"edge":")" + std::string(name) + R"("},"value":[1764600000,")" +
             std::to_string(time.time_since_epoch().count()) + R"("]})";
    };
    say("timestamp(count", R"({"status":"success","data":{"resultType":"vector","result":[)" +
                               edge("first", first) + "," + edge("last", last) + "]}}");
  }
  void say(const std::string& part, const std::string& body, const std::string& status = "200 OK") {
    const std::lock_guard lock(mutex_);
    answers_.emplace_back(part, HttpStub::reply(status, "application/json", body));
  }
  /// A pod with two GPUs on the node "gone", from two hours ago until an hour ago.
  void say_pod(Time now) {
    say_span(now - std::chrono::hours(24 * 90), now);
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
    say("max_over_time(kube_node_info",
        answer_of(R"("node":"gone","provider_id":"aws:///us-east-1a/i-0")", "1"));
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
  CHECK(told.questions().size() <= 3 * 9 + 1);
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
  told.say_span(this_second() - std::chrono::hours(24), this_second());
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.gaps.empty());
  CHECK(snapshot.history.coverage == Coverage::whole);
  CHECK(snapshot.history.pods.empty());
}

TEST_CASE("Where Prometheus keeps less than is asked, the answer says since when it has data") {
  const Time now = this_second();
  Told told;
  told.say_span(now - std::chrono::hours(60), now);
  told.say_pod(now);
  const Snapshot snapshot = read_from(told, 7);
  CHECK(snapshot.history.pods.size() == 1);
  CHECK(snapshot.history.coverage == Coverage::partial);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK(snapshot.gaps.front().what == "Prometheus has data since " +
                                          format_time(now - std::chrono::hours(60)).substr(0, 10) +
                                          " only (2.5 of 7 days)");
  // Of days before that nothing is asked.
  for (const std::string& question : told.questions())
    if (question.find("kube_pod_owner") != std::string::npos)
      CHECK(std::stoll(question.substr(question.find("&time=") + 6)) >
            (now - std::chrono::hours(61)).time_since_epoch().count());
}

TEST_CASE("A pod that was told of until all fell silent may have gone on") {
  const Time now = this_second();
  Told told;
  told.say_span(now - std::chrono::hours(24 * 90), now - std::chrono::hours(5));
  told.say("kube_pod_completion_time", kNothing);
  told.say("timestamp({",
           answer_of(R"("namespace":"ml","pod":"a","uid":"u-a")",
                     std::to_string((now - std::chrono::hours(5)).time_since_epoch().count())));
  told.say_pod(now - std::chrono::hours(4));
  const Snapshot snapshot = read_from(told);
  REQUIRE(snapshot.history.pods.size() == 1);
  CHECK(snapshot.history.pods.front().end == PastEnd::unseen);
  CHECK(snapshot.history.coverage == Coverage::partial);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps.front().what, Contains("Prometheus has no data since "));
}

TEST_CASE("When a pod ended is looked for in the part of the day that told of it last") {
  const Time now = this_second();
  const auto stamp = [](Time time) { return std::to_string(time.time_since_epoch().count()); };
  const Time slot = std::chrono::floor<std::chrono::hours>(now) - std::chrono::hours(8);
  const std::string pod = R"("namespace":"ml","pod":"a","uid":"u-a")";
  Told told;
  told.say_span(now - std::chrono::hours(24 * 90), now);
  told.say("kube_pod_completion_time", kNothing);
  told.say("timestamp(last_over_time(", answer_of(pod, stamp(slot)));
  told.say("timestamp({", answer_of(pod, stamp(slot - std::chrono::minutes(7))));
  told.say_pod(now - std::chrono::hours(9));
  const Snapshot snapshot = read_from(told);
  REQUIRE(snapshot.history.pods.size() == 1);
  CHECK(snapshot.history.pods.front().ended == slot - std::chrono::minutes(7));
  CHECK(snapshot.history.pods.front().end == PastEnd::last_seen);
  int asked = 0;
  for (const std::string& question : told.questions()) {
    if (question.find("max_over_time(timestamp({") == std::string::npos) continue;
    ++asked;
    // Two hours and a little, up to the end of that part.
    CHECK_THAT(question, Contains("[7320s:60s]"));
    CHECK_THAT(question, Contains("&time=" + stamp(slot)));
  }
  CHECK(asked == 1);
}

TEST_CASE("Where no metric says since when there is data, that is said") {
  Told told;
  told.say("timestamp(count", kNothing);
  told.say_pod(this_second());
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.history.pods.size() == 1);
  CHECK(snapshot.history.coverage == Coverage::partial);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps.front().why, Contains("kube_namespace_created"));
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

/// A result with this inside.
std::string result_of(const std::string& result) {
  return R"({"status":"success","data":{"resultType":"vector","result":)" + result + "}}";
}

/// An answer of the pod that say_pod() tells of, but of this value.
std::string odd_value(const std::string& value) {
  return result_of(R"([{"metric":{"namespace":"ml","pod":"a","uid":"u-a","node":"gone",)"
                   R"("container":"main","resource":"nvidia_com_gpu"},"value":)" +
                   value + "}]");
}

struct Odd {
  std::string body;
  bool is_told = true;  ///< whether it has to leave a gap, whatever it is the answer to
  std::string status = "200 OK";
};

std::vector<Odd> odd_answers() {
  const std::string whole = odd_value(R"([1,"2"])");
  return {
      {"<html>login</html>"},
      {"<html>gateway</html>", true, "502 Bad Gateway"},
      {R"({"status":"error","errorType":"timeout","error":"query timed out"})", true,
       "503 Service Unavailable"},
      {R"({"status":"error","errorType":"bad_data","error":"parse error"})"},
      {whole.substr(0, whole.size() - 1)},
      {whole.substr(0, whole.size() / 2)},
      {""},
      {"[]"},
      {"null"},
      {R"({"status":"success"})", false},
      {R"({"status":"success","warnings":["store is down"],"data":{"result":[]}})"},
      {R"({"status":"success","isPartial":true,"data":{"result":[]}})"},
      {R"({"status":"success","data":{"result":null}})", false},
      {R"({"status":"success","data":{"resultType":"scalar","result":[1,"2"]}})", false},
      {result_of(R"([1,"a",null,[],{}])"), false},
      {result_of(R"([{"metric":"x","value":[1,"2"]}])"), false},
      {result_of(R"([{"metric":{"namespace":7,"pod":[]},"value":[1,"2"]}])"), false},
      {result_of(R"([{"metric":{"namespace":"\u0001\u001b[31m","pod":"\u0000"},"value":[1,"2"]}])"),
       false},
      {result_of("[{\"metric\":{\"namespace\":\"m\x01l\"},\"value\":[1,\"2\"]}]")},
      {result_of(std::string(3000, '['))},
      {odd_value(R"([1,2])"), false},
      {odd_value(R"([1,"two"])"), false},
      {odd_value(R"(["2"])"), false},
      {odd_value("[1,\"" + std::string(100'000, '9') + "\"]"), false},
      {odd_value(R"([1,"NaN"])"), false},
      {odd_value(R"([1,"+Inf"])"), false},
      {odd_value(R"([1,"-3"])"), false},
      {odd_value(R"([1,"1e300"])"), false},
  };
}

TEST_CASE("Whatever a question is answered with, nothing made up is called whole") {
  const Time now = this_second();
  // Each fact is asked of all that have requests.
  const std::string requests =
      "max by(cluster,k8s_cluster,cluster_id,k8s_cluster_name,namespace,exported_namespace,pod,"
      "exported_pod,uid,node";
  for (const std::string& part : {requests, std::string("kube_pod_status_scheduled_time"),
                                  std::string("kube_pod_completion_time"),
                                  std::string("kube_pod_owner"), std::string("timestamp(count")})
    for (const Odd& odd : odd_answers()) {
      CAPTURE(part, odd.body.substr(0, 200));
      Told told;
      told.say(part, odd.body, odd.status);
      told.say_pod(now);
      const Snapshot snapshot = read_from(told);
      if (odd.is_told) {
        CHECK(snapshot.history.coverage != Coverage::whole);
        CHECK_FALSE(snapshot.gaps.empty());
      }
      CHECK(snapshot.history.pods.size() <= 1);
      for (const PastPod& pod : snapshot.history.pods) {
        CHECK(pod.requests == ResourceList{{"nvidia.com/gpu", Quantity::of(2)}});
        if (pod.scheduled && !odd.is_told) CHECK(*pod.scheduled == now - std::chrono::hours(2));
        if (pod.ended) CHECK(*pod.ended <= now + std::chrono::minutes(5));
      }
    }
}

TEST_CASE("An answer without series that calls itself partial is not one of no series") {
  Told told;
  told.say("/", R"({"status":"success","warnings":["store is down"],"data":{"result":[]}})");
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.history.coverage == Coverage::none);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps.front().why, Contains("partial"));
}

TEST_CASE("Values that cannot be leave a gap") {
  for (const char* const value : {R"([1,"NaN"])", R"([1,"-3"])", R"([1,"1e300"])", R"([1,"+Inf"])"})
    for (const char* const part : {"kube_pod_status_scheduled_time", "kube_pod_completion_time"}) {
      CAPTURE(value, part);
      Told told;
      told.say(part, odd_value(value));
      told.say_pod(this_second());
      const Snapshot snapshot = read_from(told);
      CHECK(snapshot.history.coverage == Coverage::partial);
      REQUIRE(snapshot.gaps.size() == 1);
      CHECK_THAT(snapshot.gaps.front().why, Contains("that cannot be"));
    }
}

TEST_CASE("What is no Prometheus is a gap") {
  Told told;
  told.say("/", "<html>login</html>");
  const Snapshot snapshot = read_from(told);
  CHECK(snapshot.history.pods.empty());
  REQUIRE(snapshot.gaps.size() == 1);
}

}  // namespace
}  // namespace gpu::telemetry::history_history_test
