#include "telemetry/live/smi_exec.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kube/api_stub.hpp"
#include "kube/folder.hpp"
#include "telemetry/dialects/interpret.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace live_smi_exec_test {

using namespace gpu;
using namespace gpu::kube;
using namespace gpu::telemetry;

namespace {

const std::string kXml =
    "<nvidia_smi_log><attached_gpus>1</attached_gpus><gpu><uuid>GPU-a</uuid>"
    "<utilization><gpu_util>97 %</gpu_util></utilization></gpu></nvidia_smi_log>";

/// A folder with a kubectl that does what a shell script says.
class FakeKubectl {
 public:
  explicit FakeKubectl(const std::string& script) {
    folder_.write_program("kubectl", "#!/bin/sh\n" + script + "\n");
  }
  [[nodiscard]] std::string path() const { return folder_.path() + ":/usr/bin:/bin"; }
  [[nodiscard]] std::vector<SmiAnswer> run(const std::vector<SmiPod>& pods,
                                           const ConnectionFlags& flags = {}) const {
    return run_nvidia_smi(pods, flags, Environment({{"PATH", path()}}));
  }

 private:
  test::Folder folder_;
};

SmiPod pod(const std::string& name, const std::string& node) {
  return {.ns = "gpu-operator", .pod = name, .container = "ctr", .node = node};
}

std::string problem_of(const ConnectionFlags& flags, const std::string& path) {
  try {
    run_nvidia_smi({pod("a", "n1")}, flags, Environment({{"PATH", path}}));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::config);
    return error.message();
  }
  return {};
}

}  // namespace

TEST_CASE("kubectl is told where to connect to as we were") {
  const ConnectionFlags flags{.kubeconfig = "/k c",
                              .context = "lab",
                              .ns = "mine",
                              .as = "me",
                              .as_groups = {"a", "b"},
                              .insecure_skip_tls_verify = true,
                              .request_timeout = "5s"};
  SmiPod gke = pod("a", "n1");
  gke.command = "/usr/local/nvidia/bin/nvidia-smi";
  CHECK(exec_arguments(gke, flags) ==
        std::vector<std::string>{"exec", "--namespace=gpu-operator", "--container=ctr",
                                 "--kubeconfig=/k c", "--context=lab", "--as=me", "--as-group=a",
                                 "--as-group=b", "--insecure-skip-tls-verify=true", "pod/a", "--",
                                 "/usr/local/nvidia/bin/nvidia-smi", "-q", "-x"});
}

TEST_CASE("a secret never stands on a command line") {
  CHECK(problem_of({.token = "t0ken"}, "/usr/bin") ==
        "`--token` is not passed on to kubectl: others could read it there");
  CHECK(problem_of({.password = "t0ken"}, "/usr/bin") ==
        "`--password` is not passed on to kubectl: others could read it there");
  CHECK(problem_of({.server = "https://me:t0ken@host"}, "/usr/bin") ==
        "`--server` is not passed on to kubectl: others could read it there");
}

TEST_CASE("without kubectl nothing is run") {
  CHECK(problem_of({}, "/nowhere") == "there is no kubectl in PATH");
}

TEST_CASE("each node is asked in one pod, and its answer is of that node") {
  const FakeKubectl kubectl("echo '" + kXml + "'");
  const std::vector<SmiAnswer> answers =
      kubectl.run({pod("a", "n1"), pod("b", "n2"), pod("c", "n1")});
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].pod.pod == "a");
  CHECK(answers[1].pod.pod == "b");
  for (const SmiAnswer& answer : answers) {
    CHECK(answer.why.empty());
    REQUIRE(answer.samples.size() == 1);
    const Sample& sample = answer.samples[0];
    CHECK(sample.source == MetricSource::exec);
    CHECK(sample.exporter == "gpu-operator/" + answer.pod.pod);
    CHECK(sample.node == answer.pod.node);
    CHECK(sample.measures.utilization == 0.97);
    CHECK(sample.at.has_value());
  }
}

TEST_CASE("many nodes are asked, several at a time") {
  const FakeKubectl kubectl("sleep 0.2; echo '" + kXml + "'");
  std::vector<SmiPod> pods;
  for (int i = 0; i < 20; ++i) pods.push_back(pod("a", "n" + std::to_string(i)));
  const std::vector<SmiAnswer> answers = kubectl.run(pods);
  REQUIRE(answers.size() == 20);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(answers[i].pod.node == "n" + std::to_string(i));
    CHECK(answers[i].samples.size() == 1);
  }
}

TEST_CASE("where one pod of a node fails, the next one is asked") {
  const FakeKubectl kubectl("case \"$*\" in *pod/bad*) echo no >&2; exit 1;; esac; echo '" + kXml +
                            "'");
  const std::vector<SmiAnswer> answers = kubectl.run({pod("bad", "n1"), pod("good", "n1")});
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].pod.pod == "good");
  CHECK(answers[0].why.empty());
}

TEST_CASE("why nvidia-smi told nothing") {
  const auto why = [](const std::string& script) {
    const std::vector<SmiAnswer> answers = FakeKubectl(script).run({pod("a", "n1")});
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].samples.empty());
    return answers[0].why;
  };
  CHECK(why("echo first >&2; echo 'error: unable to upgrade connection' >&2; exit 1") ==
        "error: unable to upgrade connection");
  CHECK(
      why("echo 'NVIDIA-SMI has failed'; echo 'command terminated with exit code 9' >&2; exit 9") ==
      "NVIDIA-SMI has failed: command terminated with exit code 9");
  CHECK(why("exit 3") == "kubectl exec ended with exit code 3");
  CHECK(why("echo '<nvidia_smi_log>'") ==
        "the answer is not nvidia-smi's XML: line 2: no element found");
  CHECK(why("echo '<nvidia_smi_log/>'") == "nvidia-smi lists no GPU");
  CHECK(why("head -c 9000000 /dev/zero") == "its answer is longer than 8 MiB");
}

TEST_CASE("a name that kubectl would take for an option is not passed on") {
  const FakeKubectl kubectl("echo '" + kXml + "'");
  SmiPod bad = pod("a", "n1");
  bad.container = "--kubeconfig=/other";
  CHECK(kubectl.run({bad})[0].why == "its name is none of Kubernetes");
  CHECK(kubectl.run({pod("-v=9", "n1")})[0].samples.empty());
  CHECK(kubectl.run({pod("", "n1")})[0].samples.empty());
}

TEST_CASE("what a snapshot keeps of nvidia-smi reads back as it was, without processes") {
  const std::string xml = R"(<nvidia_smi_log><attached_gpus>2</attached_gpus>
    <gpu id="00000000:17:00.0"><product_name>NVIDIA H100 80GB HBM3</product_name>
      <uuid>GPU-a</uuid><pci><pci_bus_id>00000000:17:00.0</pci_bus_id></pci>
      <fb_memory_usage><total>81559 MiB</total><used>40001 MiB</used></fb_memory_usage>
      <utilization><gpu_util>97 %</gpu_util></utilization>
      <temperature><gpu_temp>53 C</gpu_temp></temperature>
      <gpu_power_readings><power_draw>433.78 W</power_draw>
        <current_power_limit>700.00 W</current_power_limit></gpu_power_readings>
      <processes><process_info><pid>77</pid><process_name>secret</process_name></process_info>
      </processes></gpu>
    <gpu id="00000000:18:00.0"><product_name>NVIDIA A100</product_name>
      <uuid>GPU-b</uuid><mig_mode><current_mig>Enabled</current_mig></mig_mode>
      <fb_memory_usage><total>40960 MiB</total><used>12 MiB</used></fb_memory_usage>
      <mig_devices><mig_device><gpu_instance_id>3</gpu_instance_id>
        <fb_memory_usage><total>19968 MiB</total><used>12 MiB</used></fb_memory_usage>
      </mig_device></mig_devices></gpu></nvidia_smi_log>)";
  const FakeKubectl kubectl("echo '" + xml + "'");
  const std::string former = std::getenv("PATH");
  ::setenv("PATH", kubectl.path().c_str(), 1);
  const ApiStub api({});
  Client client = api.client();
  Needs needs;
  std::vector<std::string> told;
  needs.on_object = [&](const nlohmann::json& object, std::string_view, std::string_view kind) {
    CHECK(kind == kScrapeKind);
    told.push_back(object.dump());
  };
  Snapshot snapshot;
  CollectContext reading(client, needs, snapshot);
  read_smi_by_exec(reading, {pod("good", "n1")});
  ::setenv("PATH", former.c_str(), 1);
  REQUIRE(told.size() == 1);
  CHECK(told.front().find("secret") == std::string::npos);
  const Scrape scrape = scrape_of(nlohmann::json::parse(told.front()));
  CHECK(scrape.origin.source == MetricSource::exec);
  std::vector<Sample> back = telemetry::samples_of(scrape.series, scrape.origin);
  REQUIRE(snapshot.samples.size() == 3);
  REQUIRE(back.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    // Of which kind a utilization is that is not told does not matter.
    if (!back[i].measures.utilization) back[i].measures.kind = snapshot.samples[i].measures.kind;
    CHECK(back[i] == snapshot.samples[i]);
  }
}

TEST_CASE("gaps say where nvidia-smi was run, and where it told nothing") {
  const FakeKubectl kubectl(
      "case \"$*\" in *pod/bad*) echo 'Error from server (Forbidden): pods \"bad\" is forbidden: "
      "User \"u\" cannot create resource \"pods/exec\" in API group \"\" in the namespace "
      "\"gpu-operator\"' >&2; exit 1;; esac; echo '" +
      kXml + "'");
  const std::string former = std::getenv("PATH");
  ::setenv("PATH", kubectl.path().c_str(), 1);
  const ApiStub api({});
  Client client = api.client();
  const Needs needs;
  Snapshot snapshot;
  CollectContext reading(client, needs, snapshot);
  const auto nodes = read_smi_by_exec(reading, {pod("good", "n1"), pod("bad", "n2")});
  ::setenv("PATH", former.c_str(), 1);
  CHECK(nodes == std::set<std::string, std::less<>>{"n1"});
  CHECK(snapshot.samples.size() == 1);
  REQUIRE(snapshot.gaps.size() == 2);
  CHECK(snapshot.gaps[0].what == "live use of one node is what nvidia-smi says, run in pods");
  CHECK(snapshot.gaps[0].why == "gpu-operator/good for node n1");
  CHECK(snapshot.gaps[1].what == "nvidia-smi reported nothing about one node");
  CHECK(snapshot.gaps[1].why.starts_with("node n2, gpu-operator/bad: Error from server"));
  CHECK(snapshot.gaps[1].help.find("--verb=create") != std::string::npos);
  CHECK(snapshot.gaps[1].help.find("--resource=pods/exec") != std::string::npos);
  for (const Gap& gap : snapshot.gaps) CHECK(gap.about == GapTopic::use);
}

}  // namespace live_smi_exec_test
