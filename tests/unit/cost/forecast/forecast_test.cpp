#include "cost/forecast/forecast.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "cost/forecast/make_forecast.hpp"

namespace gpu::cost::forecast_forecast_test {
namespace {

using namespace std::chrono_literals;
using make::Forecasting;
using make::job;
using make::of_type;

const std::string kH100 = "NVIDIA-H100-80GB-HBM3";

Money usd(const char* amount) { return parse_money(amount).value(); }
MoneyRange exactly(const char* amount) { return {usd(amount), usd(amount)}; }

/// Two p5.48xlarge and a g6.4xlarge on AWS.
Snapshot cluster(std::vector<Pod> pods = {}) {
  Node first = of_type(make::node("gpu-a", 8), "p5.48xlarge", kH100);
  Node second = of_type(make::node("gpu-b", 8), "p5.48xlarge", kH100);
  Node small = of_type(make::node("gpu-l", 1), "g6.4xlarge", "NVIDIA-L4");
  for (Node* node : {&first, &second, &small}) node->provider_id = "aws:///us-east-1a/i-0";
  return make::snapshot({first, second, small}, pods);
}

PlannedPod choosing(PlannedPod planned, const char* key, const char* value) {
  planned.pod.node_selector.set(key, value);
  return planned;
}

std::string types_of(const ObjectForecast& object) {
  std::string text;
  for (const MachineOffer& offer : object.pods.at(0).offers)
    text += (text.empty() ? "" : " ") + offer.type;
  return text;
}

}  // namespace

TEST_CASE("the rate is pods at once, times GPUs, times the price of a GPU") {
  const Forecasting from(cluster());
  const ObjectForecast object = from.one(job(8, 2), 3h);
  CHECK(object.pods_at_once() == 2);
  CHECK(object.units() == 16);
  CHECK(types_of(object) == "p5.48xlarge");
  CHECK(object.pods.at(0).offers.at(0).nodes == 2);
  CHECK(object.cost.hour == exactly("110.08"));
  CHECK(object.cost.total == exactly("330.24"));
  CHECK(object.cost.worst == exactly("1320.96"));
}

TEST_CASE("a pod that any node takes costs from the cheapest to the dearest") {
  const Forecasting from(cluster());
  const ObjectForecast object = from.one(job(1));
  CHECK(types_of(object) == "g6.4xlarge p5.48xlarge");
  CHECK(object.cost.hour == MoneyRange{usd("1.3232"), usd("6.88")});
}

TEST_CASE("selectors, taints and size decide which nodes, and what is free does not") {
  Snapshot full = cluster({make::pod("other", "gpu-a", 8), make::pod("another", "gpu-b", 8)});
  full.nodes.at(1).unschedulable = true;
  full.nodes.at(2).taints.push_back({.key = "team", .value = "x", .effect = "NoSchedule"});
  const Forecasting from(std::move(full));
  CHECK(types_of(from.one(job(1))) == "p5.48xlarge");
  CHECK(from.one(job(1)).pods.at(0).offers.at(0).nodes == 2);
  CHECK(from.one(job(9)).pods.at(0).basis != MachineBasis::nodes);
  CHECK(from.one(choosing(job(1), "nvidia.com/gpu.product", "NVIDIA-L4")).pods.at(0).basis ==
        MachineBasis::model);
}

TEST_CASE("retries cost one pod each, and restarts all of it") {
  const Forecasting from(cluster());
  CHECK(from.one(job(8, 1, 3), 1h).cost.worst == exactly("220.16"));
  CHECK(from.one(job(8, 2, 3), 1h).cost.worst == exactly("275.2"));
  PlannedPod restarted = job(8, 1, 0);
  restarted.bounds.restarts = 2;
  CHECK(from.one(restarted, 1h).cost.worst == exactly("165.12"));
  PlannedPod endless = job(8);
  endless.bounds.retries.reset();
  CHECK(from.one(endless, 1h).cost.total == exactly("55.04"));
  CHECK_FALSE(from.one(endless, 1h).cost.bound());
}

TEST_CASE("a deadline bounds retries, too, and comes before hours") {
  const Forecasting from(cluster());
  PlannedPod planned = job(8, 2);
  planned.bounds.deadline = 30min;
  const ObjectForecast object = from.one(planned, 100h);
  CHECK(object.cost.by_deadline == exactly("55.04"));
  CHECK(object.cost.bound_by() == BoundBy::deadline);
  CHECK(object.cost.bound() == exactly("55.04"));
  planned.bounds.restarts = 1;
  CHECK(from.one(planned).cost.by_deadline == exactly("110.08"));
  CHECK(from.one(job(8)).cost.bound_by() == BoundBy::nothing);
  CHECK_FALSE(from.one(job(8)).cost.bound());
}

TEST_CASE("more completions than pods at once run one after the other") {
  const Forecasting from(cluster());
  PlannedPod planned = job(8, 2, 0);
  planned.bounds.pods_in_all = 10;
  const ObjectForecast object = from.one(planned, 1h);
  CHECK(object.cost.hour == exactly("110.08"));
  CHECK(object.cost.total == exactly("550.4"));
}

TEST_CASE("what does not end has a rate, and what it comes to in the hours asked about") {
  const Forecasting from(cluster());
  const ObjectForecast object =
      from.one(make::planned(make::pod("serve", "", 8), "Deployment", 2), 24h);
  CHECK_FALSE(object.cost.ends);
  CHECK(object.cost.bound() == exactly("2641.92"));
}

TEST_CASE("templates of one object are one sum, and pods without GPUs cost nothing") {
  const Forecasting from(cluster());
  std::vector<PlannedPod> pods = {make::planned(make::pod("head", "", 0), "RayCluster"),
                                  make::planned(make::pod("worker", "", 8), "RayCluster", 2)};
  pods.at(1).template_at = "spec.workerGroupSpecs[0].template";
  const std::vector<ObjectForecast> objects = from.all(pods);
  REQUIRE(objects.size() == 1);
  CHECK(objects.at(0).pods_at_once() == 3);
  CHECK(objects.at(0).cost.hour == exactly("110.08"));
  CHECK_FALSE(from.one(make::planned(make::pod("x", "", 0), "Deployment")).has_gpus());
  CHECK(from.one(make::planned(make::pod("x", "", 0), "Deployment")).cost.hour == kNoMoney);
}

TEST_CASE("two objects with one name, which may be generated, are two") {
  const Forecasting from(cluster());
  CHECK(from.all({job(8), job(8)}).size() == 2);
}

TEST_CASE("what exists already is what its pods cost now") {
  Pod running = make::pod("train-0", "gpu-a", 4);
  running.owners = {{.kind = "Job", .name = "train", .uid = "1", .controller = true}};
  const Forecasting from(cluster({running}));
  CHECK(from.one(job(8)).now == usd("27.52"));
  CHECK_FALSE(Forecasting(cluster()).one(job(8)).now);
}

TEST_CASE("without a node, the manifest's instance type, else its model at the provider") {
  const Forecasting from(cluster());
  const ObjectForecast typed =
      from.one(choosing(job(8), "node.kubernetes.io/instance-type", "p4d.24xlarge"));
  CHECK(typed.pods.at(0).basis == MachineBasis::instance_types);
  CHECK(typed.cost.hour == exactly("21.957642"));
  const ObjectForecast of_model = from.one(choosing(job(8), "nvidia.com/gpu.product", "A100"));
  CHECK(of_model.pods.at(0).basis == MachineBasis::model);
  CHECK(types_of(of_model) == "p4d.24xlarge p4de.24xlarge");
  const ObjectForecast unknown =
      from.one(choosing(job(8), "node.kubernetes.io/instance-type", "p99.48xlarge"));
  CHECK_FALSE(unknown.cost.hour.low);
  CHECK_FALSE(unknown.cost.hour.high);
}

TEST_CASE("without a cluster, prices are by what is named, and unknown is never 0") {
  const Forecasting nowhere(Snapshot{});
  CHECK(
      nowhere.one(choosing(job(8), "node.kubernetes.io/instance-type", "p5.48xlarge")).cost.hour ==
      exactly("55.04"));
  const ObjectForecast median =
      nowhere.one(choosing(job(2), "nvidia.com/gpu.product", kH100.c_str()));
  CHECK(median.cost.hour.is_known());
  CHECK(median.pods.at(0).offers.at(0).is_estimate);
  CHECK_FALSE(nowhere.one(job(1)).cost.hour.low);
  const Forecasting priced(Snapshot{}, {.rules = {price_flag("2.5")}});
  CHECK(priced.one(job(4)).cost.hour == exactly("10"));
}

TEST_CASE("some node without a price leaves the high end open") {
  Snapshot snapshot = cluster();
  snapshot.nodes.push_back(make::node("gpu-x", 8));
  const Forecasting from(std::move(snapshot));
  const MoneyRange hour = from.one(job(8)).cost.hour;
  CHECK(hour.low == usd("55.04"));
  CHECK_FALSE(hour.high);
}

TEST_CASE("MIG slices and shares are parts of a GPU") {
  Node mig = of_type(make::node("mig", 28, "nvidia.com/mig-2g.10gb"), "p4d.24xlarge",
                     "NVIDIA-A100-SXM4-40GB");
  mig.labels.set("nvidia.com/gpu.count", "8");
  Node shared = of_type(make::node("shared", 4), "g4dn.xlarge", "Tesla-T4-SHARED");
  shared.labels.set("nvidia.com/gpu.replicas", "4");
  shared.labels.set("nvidia.com/gpu.sharing-strategy", "time-slicing");
  shared.labels.set("nvidia.com/gpu.count", "1");
  const Forecasting from(make::snapshot({mig, shared}, {}));
  CHECK(from.one(job(1)).cost.hour == exactly("0.1315"));
  const ObjectForecast slice =
      from.one(make::planned(make::pod("x", "", 1, "nvidia.com/mig-2g.10gb"), "Job"));
  CHECK(slice.cost.hour.low == share_of(usd("21.957642"), 2, 56));
}

TEST_CASE("spot stands beside on-demand, and jobs without retries are not suited") {
  const Forecasting from(cluster());
  const ObjectForecast object = from.one(job(8));
  REQUIRE(object.spot_hour);
  CHECK(*object.spot_hour->high < usd("55.04"));
  CHECK(object.spot_fit == SpotFit::suited);
  CHECK(from.one(job(8, 1, 0)).spot_fit == SpotFit::unsuited);
  CHECK(from.one(make::planned(make::pod("x", "", 8), "Pod")).spot_fit == SpotFit::unsuited);
}

TEST_CASE("the spot price is of machines that are offered as spot, those that are it already too") {
  Snapshot snapshot = cluster();
  snapshot.nodes.at(2).labels.set("karpenter.sh/capacity-type", "spot");
  const Forecasting from(std::move(snapshot), {.rules = {price_flag("node/gpu-l=0.4")}});
  const ObjectForecast object = from.one(job(1));
  REQUIRE(object.spot_hour);
  CHECK(object.spot_hour->low == usd("0.4"));
  CHECK(*object.spot_hour->high < usd("6.88"));
  CHECK_FALSE(from.one(choosing(job(1), "nvidia.com/gpu.product", "NVIDIA-L4")).spot_hour);
}

TEST_CASE("spot capacity whose price is not known leaves the high end open") {
  Snapshot snapshot = cluster();
  snapshot.nodes.at(2).labels.set("karpenter.sh/capacity-type", "spot");
  const ObjectForecast object = Forecasting(std::move(snapshot)).one(job(1));
  REQUIRE(object.spot_hour);
  CHECK(object.spot_hour->low);
  CHECK_FALSE(object.spot_hour->high);
}

TEST_CASE("what makes no pods has no spot price, and is not said to be lost to one") {
  const Forecasting from(cluster());
  PlannedPod none = job(8, 0, 0);
  CHECK_FALSE(from.one(none).spot_hour);
  CHECK(from.one(none).spot_fit == SpotFit::suited);
}

TEST_CASE("what may grow is bounded by its most, and shown as it starts") {
  const Forecasting from(cluster());
  PlannedPod server = make::planned(make::pod("serve", "", 1), "Deployment");
  server.pod.node_selector.set("node.kubernetes.io/instance-type", "p5.48xlarge");
  server.bounds.growth = PodGrowth{.most = 8, .by = "maxReplicas"};
  const ObjectForecast object = from.one(server, 1h);
  CHECK(object.pods_at_once() == 1);
  CHECK(object.pods_at_most() == 8);
  CHECK(object.cost.hour == exactly("6.88"));
  CHECK(object.cost.grown_hour == exactly("55.04"));
  CHECK(object.cost.total == exactly("6.88"));
  CHECK(object.cost.bound() == exactly("55.04"));
  server.bounds.growth->most.reset();
  CHECK_FALSE(from.one(server, 1h).cost.bound());
  CHECK_FALSE(from.one(server, 1h).pods_at_most());
  server.bounds.growth->most = 0;
  CHECK(from.one(server, 1h).cost.bound() == exactly("6.88"));
}

TEST_CASE("a deadline bounds what may grow by its most, too") {
  const Forecasting from(cluster());
  PlannedPod planned = job(8);
  planned.bounds.deadline = 1h;
  planned.bounds.growth = PodGrowth{.most = 2, .by = "maxReplicas"};
  CHECK(from.one(planned).cost.bound() == exactly("110.08"));
  planned.bounds.growth->most.reset();
  CHECK_FALSE(from.one(planned).cost.bound());
}

TEST_CASE("templates that share retries have them once, of the dearest pod") {
  const Forecasting from(cluster());
  PlannedPod master = make::planned(make::pod("m", "", 4), "PyTorchJob");
  PlannedPod workers = make::planned(make::pod("w", "", 8), "PyTorchJob", 2);
  for (PlannedPod* each : {&master, &workers}) {
    each->bounds.ends = true;
    each->bounds.retries = 3;
    each->bounds.shares_retries = true;
    each->pod.node_selector.set("node.kubernetes.io/instance-type", "p5.48xlarge");
  }
  master.template_at = "spec.pytorchReplicaSpecs.Master.template";
  const ObjectForecast object = from.all({master, workers}, 1h).at(0);
  CHECK(object.cost.total == exactly("137.6"));
  CHECK(object.cost.retries == 3);
  CHECK(object.cost.worst == exactly("302.72"));
  master.bounds.retries.reset();
  CHECK_FALSE(from.all({master, workers}, 1h).at(0).cost.worst);
}

TEST_CASE("autoscalers of the cluster are not checked for what may be scaled") {
  const Forecasting from(cluster());
  PlannedPod server = make::planned(make::pod("serve", "", 1), "Deployment");
  server.bounds.pods_per_replica = 1;
  const std::vector<std::string> unchecked = {"autoscalers of the cluster"};
  CHECK(from.one(server).pods.at(0).not_checked == unchecked);
  server.bounds.growth = PodGrowth{.most = 8, .by = "maxReplicas"};
  CHECK(from.one(server).pods.at(0).not_checked.empty());
  CHECK(from.one(job(1)).pods.at(0).not_checked.empty());
}

TEST_CASE("a pod on each node that takes it, for a DaemonSet") {
  const ObjectForecast object =
      Forecasting(cluster()).one(make::planned(make::pod("x", "", 8), "DaemonSet"));
  CHECK(object.pods_at_once() == 2);
  CHECK(object.cost.hour == exactly("110.08"));
}

TEST_CASE("a slice of a GPU in the table does not divide by nothing") {
  const Forecasting nowhere(Snapshot{});
  const ObjectForecast object =
      nowhere.one(choosing(job(1), "node.kubernetes.io/instance-type", "g6f.xlarge"));
  CHECK((!object.cost.hour.low || object.cost.hour.low->nano > 0));
}

TEST_CASE("what is not checked is said: parts of cards, queues, what controllers add") {
  Node shared = of_type(make::node("hami", 10), "p5.48xlarge", kH100);
  shared.shared_cards.push_back({.uuid = "GPU-0",
                                 .type = kH100,
                                 .slots = 10,
                                 .memory_mib = 81559,
                                 .cores = 100,
                                 .is_healthy = true});
  shared.annotations.set("hami.io/node-nvidia-register", "-");
  const Forecasting hami(make::snapshot({shared}, {}));
  const ObjectForecast part = hami.one(job(1));
  CHECK_FALSE(part.cost.hour.low);
  CHECK(part.pods.at(0).not_checked ==
        std::vector<std::string>{"what part of a machine the pod gets"});
  PlannedPod queued = job(1);
  queued.queue = "gpu";
  CHECK(Forecasting(cluster()).one(queued).pods.at(0).not_checked ==
        std::vector<std::string>{"to which of these machines the queue gpu sends it"});
}

TEST_CASE("claims for devices are priced as the devices of a node") {
  Node node = of_type(make::node("gpu-a", 0), "p5.48xlarge", kH100);
  Snapshot snapshot = make::snapshot({node}, {});
  ResourceSlice slice{.name = "s",
                      .driver = "gpu.nvidia.com",
                      .pool = "gpu-a",
                      .slice_count = 1,
                      .node_name = "gpu-a"};
  snapshot.slice_coverage = Coverage::whole;
  for (int i = 0; i < 8; ++i) slice.devices.push_back({.name = "gpu-" + std::to_string(i)});
  snapshot.slices.push_back(slice);
  const Forecasting from(std::move(snapshot));
  PlannedPod claiming = job(0);
  claiming.pod.claim_slots = {{.name = "gpus", .claim_template = "two"}};
  PlannedObjects planned;
  planned.pods = {claiming};
  planned.claim_templates = {
      {.ns = "ml",
       .name = "two",
       .requests = {{.name = "g", .device_class = "gpu.nvidia.com", .count = 2}}}};
  const ObjectForecast object =
      forecast(planned, {from.snapshot, from.ledger, from.prices, from.lines}, {}).at(0);
  CHECK(object.units() == 2);
  CHECK(object.cost.hour == exactly("13.76"));
  planned.claim_templates.clear();
  const ObjectForecast lost =
      forecast(planned, {from.snapshot, from.ledger, from.prices, from.lines}, {}).at(0);
  CHECK(lost.pods.at(0).not_checked.at(0) == "what claim two is for: it was not found");
  CHECK(lost.has_gpus());
  CHECK_FALSE(lost.cost.hour.low);
}

TEST_CASE("sums have the ends that all objects have") {
  const Forecasting from(cluster());
  PlannedPod other = job(8, 1, 0);
  other.pod.ns = "other";
  const ForecastSum sum = sum_of(from.all({job(8, 1, 1), other}, 1h));
  CHECK(sum.hour == exactly("110.08"));
  CHECK(sum.total == exactly("110.08"));
  CHECK(sum.bound == exactly("165.12"));
  CHECK_FALSE(sum_of(from.all({job(8)})).bound);
}

}  // namespace gpu::cost::forecast_forecast_test
