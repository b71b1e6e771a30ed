#include "telemetry/history/queries_of_past.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gpu::telemetry {
namespace {

using std::chrono::seconds;

/// Resources as kube-state-metrics writes them: what is no letter and no digit is `_`.
constexpr std::string_view kResources =
    R"(resource=~"(nvidia|amd)_com_.+|gpu_intel_com_.+|habana_ai_gaudi|google_com_tpu|)"
    R"(aws_amazon_com_neuron.*|aliyun_com_gpu.*|volcano_sh_v?gpu_number")";
constexpr std::string_view kRequests = "kube_pod_container_resource_requests";
constexpr std::string_view kInitRequests = "kube_pod_init_container_resource_requests";

/// Labels of the cluster, then of the pod; `exported_`: where the scraped address has labels of
/// the same names, and its own win.
constexpr std::string_view kCluster = "cluster,k8s_cluster,cluster_id,k8s_cluster_name,";
constexpr std::string_view kPod = "namespace,exported_namespace,pod,exported_pod,uid";
constexpr std::string_view kNode = "node,exported_node";

/// What there are few series of, and what is told as long as there is a cluster.
constexpr std::string_view kAlwaysTold = R"({__name__=~"kube_namespace_created|kube_node_info"})";

std::string of_gpus(std::string_view metric) { return fmt::format("{}{{{}}}", metric, kResources); }

std::string over(std::string_view series, seconds length) {
  return fmt::format("max_over_time({}[{}s])", series, length.count());
}

/// One series for each set of `labels`: whichever instance of kube-state-metrics told it.
std::string each_by(std::string_view labels, std::string_view series) {
  return fmt::format("max by({}{})({})", kCluster, labels, series);
}

std::string requests_of(std::string_view metric, seconds length) {
  const std::string labels =
      fmt::format("{},{},container,exported_container,resource", kPod, kNode);
  return each_by(labels, over(of_gpus(metric), length));
}

/// Those that have asked for GPUs; before kube-state-metrics 2 no uid tells them from others.
std::string with_gpus(std::string_view told, seconds length) {
  return fmt::format("{} and on(uid) ({} or {})", told, over(of_gpus(kRequests), length),
                     over(of_gpus(kInitRequests), length));
}

std::string pod_fact(std::string_view metric, std::string_view more_labels, seconds length) {
  const std::string labels = fmt::format("{}{}", kPod, more_labels);
  return with_gpus(each_by(labels, over(metric, length)), length);
}

/// Requests of pods with one of `uids`, of all where there are none. A container has one name in a
/// pod, so that both metrics differ without theirs.
std::string requests_with(const std::vector<std::string>& uids) {
  std::string matcher;
  for (const std::string& uid : uids) matcher += (matcher.empty() ? R"(,uid=~")" : "|") + uid;
  if (!matcher.empty()) matcher += '"';
  return fmt::format(R"({{__name__=~"kube_pod_(init_)?container_resource_requests",{}{}}})",
                     kResources, matcher);
}

/// The first and the last moment at which `series` has a value.
std::string edges_of(std::string_view series, seconds length, seconds step) {
  const auto edge = [&](std::string_view function, std::string_view name) {
    return fmt::format(R"(label_replace({}_over_time(timestamp({})[{}s:{}s]),"{}","{}","",""))",
                       function, series, length.count(), step.count(), kEdge, name);
  };
  return edge("min", kFirstEdge) + " or " + edge("max", kLastEdge);
}

std::string owner_query(std::string_view metric, std::string_view object, seconds length) {
  const std::string labels = fmt::format(
      "namespace,exported_namespace,{},owner_kind,owner_name,owner_is_controller", object);
  return each_by(labels, over(metric, length));
}

}  // namespace

std::string query_of(PodFact fact, seconds length) {
  switch (fact) {
    case PodFact::requests:
      return requests_of(kRequests, length);
    case PodFact::init_requests:
      return requests_of(kInitRequests, length);
    case PodFact::scheduled:
      return pod_fact("kube_pod_status_scheduled_time", "", length);
    case PodFact::completed:
      return pod_fact("kube_pod_completion_time", "", length);
    case PodFact::info:
      return pod_fact("kube_pod_info", ",node,exported_node,created_by_kind,created_by_name",
                      length);
    case PodFact::owner:
      return pod_fact("kube_pod_owner", ",owner_kind,owner_name,owner_is_controller", length);
  }
  return {};
}

std::string query_of(PlaceFact fact, seconds length) {
  switch (fact) {
    case PlaceFact::job_owner:
      return owner_query("kube_job_owner", "job_name", length);
    case PlaceFact::replica_set_owner:
      return owner_query("kube_replicaset_owner", "replicaset", length);
    case PlaceFact::node_labels:
      return over("kube_node_labels", length);
    case PlaceFact::node_info:
      return each_by("node,exported_node,provider_id", over("kube_node_info", length));
    case PlaceFact::node_capacity:
      return each_by("node,exported_node,resource",
                     over(of_gpus("kube_node_status_capacity"), length));
  }
  return {};
}

std::string seen_query(seconds length, const std::vector<std::string>& uids) {
  // The times are of the samples themselves, exact to a scrape; of what ends it is seen that it
  // does.
  return each_by(kPod, fmt::format("max_over_time(timestamp({})[{}s:{}s])", requests_with(uids),
                                   length.count(), kSeenStep.count()));
}

std::string last_slot_query(seconds length, const std::vector<std::string>& uids) {
  return each_by(kPod,
                 fmt::format("max_over_time(timestamp(last_over_time({}[{}s]))[{}s:{}s])",
                             requests_with(uids), kSlot.count(), length.count(), kSlot.count()));
}

std::string silence_query(seconds length) {
  return edges_of(fmt::format("absent({})", kAlwaysTold), length, kSilenceStep);
}

seconds told_step(seconds length) {
  constexpr int kSteps = 500;
  return std::max(length / kSteps, seconds{60});
}

std::string told_query(seconds length) {
  const std::string_view clusters = kCluster.substr(0, kCluster.size() - 1);
  return edges_of(fmt::format("count by({})({})", clusters, kAlwaysTold), length,
                  told_step(length));
}

std::string pods_told_query(seconds length) {
  return fmt::format("count({})", over("kube_pod_info", length));
}

}  // namespace gpu::telemetry
