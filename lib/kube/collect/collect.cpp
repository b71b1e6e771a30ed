#include "kube/collect/collect.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/phrase.hpp"
#include "decode/kinds/kind_info.hpp"
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "kube/collect/dra.hpp"
#include "kube/collect/missing_nodes.hpp"
#include "kube/collect/named_workload.hpp"
#include "kube/collect/names_seen.hpp"
#include "kube/collect/namespaces.hpp"
#include "kube/collect/owners.hpp"
#include "kube/collect/queue_owners.hpp"
#include "kube/collect/refused_owners.hpp"
#include "kube/collect/scheduling_facts.hpp"
#include "kube/collect/wanted_pods.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/collect_context.hpp"
#include "kube/read/gpu_devices.hpp"
#include "kube/read/item_reader.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/pools/node_pools.hpp"
#include "telemetry/history/history.hpp"
#include "telemetry/live/live_metrics.hpp"

namespace gpu::kube {
namespace {

constexpr std::string_view kProtobufThenJson =
    "application/vnd.kubernetes.protobuf, application/json;q=0.9";
/// Each cluster has it, and it cannot be deleted.
constexpr std::string_view kSystem = "kube-system";
constexpr std::string_view kLivePods = "status.phase!=Succeeded,status.phase!=Failed";
/// A pod that the kubelet refused has failed.
constexpr std::string_view kNotSucceeded = "status.phase!=Succeeded";
/// Measured on 5,000 nodes and 100,000 pods: 500 lists by node take 0.7 s, one list 4 to 13 s.
constexpr std::size_t kMostListsByNode = 500;
constexpr std::size_t kMostNodesByName = 16;

bool asks_for_gpus(const NodeSums& sums) {
  return std::ranges::any_of(sums.requested,
                             [](const auto& each) { return gpu_resource(each.first).has_value(); });
}

class Collector {
 public:
  Collector(Client& client, const Needs& needs)
      : client_(client),
        needs_(needs),
        accept_(needs.wire == WireChoice::json || needs.on_object
                    ? "application/json"
                    : std::string(kProtobufThenJson)) {
    // What is typed wrong is said before anything is asked.
    for (const std::string& typed : needs.metrics.exporters)
      static_cast<void>(telemetry::exporter_typed(typed));
  }

  Snapshot run() {
    read_named_workload(reading_);
    read_nodes();
    read_pods();
    if (needs_.waiting_pods) read_wanted_pods(reading_);
    dra_.judge_sight();
    if (!needs_.kinds.empty()) scheduling_.read();
    if (needs_.owners) read_owners(reading_);
    if (needs_.owners && needs_.kinds.contains(ObjectKind::workload)) read_queue_owners(reading_);
    if (wants_refused_owners(needs_)) read_refused_owners(reading_);
    if (wants_metrics()) read_metrics();
    if (wants_history()) telemetry::read_history(reading_, prometheus_.found);
    Fold(snapshot_).finish();
    decode::sort_facts(snapshot_.scheduling);
    return std::move(snapshot_);
  }

 private:
  using Query = std::vector<std::pair<std::string_view, std::string>>;

  ListBatch new_batch(std::string accept) {
    return {client_, std::move(accept), [this](std::size_t bytes) { reading_.count_bytes(bytes); }};
  }

  void read_nodes() {
    const auto& names = needs_.node_names;
    ListBatch batch = new_batch(accept_);
    if (names.empty() || names.size() > kMostNodesByName) {
      add_nodes(batch, {{"labelSelector", needs_.node_selector}});
    } else {
      for (const std::string& name : names)
        add_nodes(batch, {{"fieldSelector", "metadata.name=" + field_value(name)},
                          {"labelSelector", needs_.node_selector}});
    }
    dra_.add_slices(batch);
    const std::vector<Reply> replies = batch.run();
    // The reply for the slices is the last.
    if (const std::vector<Reply> nodes(replies.begin(), replies.end() - 1); may_see_nodes(nodes)) {
      check_all(nodes);
      snapshot_.node_coverage = Coverage::whole;
      if (!missing_names(snapshot_.nodes, names).empty()) refuse_missing_nodes();
      keep_only(snapshot_.nodes, names);
    }
    dra_.conclude_slices(replies);
  }

  /// Someone who asks for one namespace gets an answer without nodes: then a Gap says so.
  bool may_see_nodes(const std::vector<Reply>& replies) {
    const auto forbidden = std::find_if(replies.begin(), replies.end(),
                                        [](const Reply& reply) { return reply.status == 403; });
    const bool may_do_without = !needs_.only_namespace.empty() || needs_.may_lack_nodes;
    if (!may_do_without || forbidden == replies.end()) return true;
    snapshot_.nodes.clear();
    add_gap(!needs_.kinds.empty()
                ? "nodes cannot be listed, so what rules each of them out is unknown"
                : "nodes cannot be listed, so models and sharing of GPUs are unknown",
            *forbidden, {});
    return false;
  }

  /// Reads every node's name, so that the error can name the nearest.
  [[noreturn]] void refuse_missing_nodes() {
    const std::vector<std::string> missing = missing_names(snapshot_.nodes, needs_.node_names);
    snapshot_.nodes.clear();
    nodes_seen_ = {};
    ListBatch batch = new_batch(accept_);
    add_nodes(batch, {});
    check_all(batch.run());
    throw missing_node_error(missing.front(), snapshot_.nodes, needs_.node_selector);
  }

  void add_nodes(ListBatch& batch, const Query& query) {
    batch.add(list_path("/api/v1/nodes", query), node_reader());
  }

  ItemReader node_reader() {
    const auto add = [this](Node&& node) {
      if (!nodes_seen_.is_new({}, node.name)) return;
      reading_.count_node();
      Fold(snapshot_).add(std::move(node));
    };
    if (!needs_.on_object) return ItemReader::of_nodes(add);
    return ItemReader::of_objects("NodeList", [this, add](const nlohmann::json& object) {
      reading_.tell(object, "v1", "Node");
      add(decode::node_from_json(object));
    });
  }

  ItemReader pod_reader() {
    const auto add = [this](const Pod& pod) {
      if (!pods_seen_.is_new(pod.ns, pod.name)) return;
      reading_.count_pod();
      saw_system_pod_ = saw_system_pod_ || pod.ns == kSystem;
      if (wants_metrics()) telemetry_.add(pod);
      if (!needs_.kinds.empty()) scheduling_.see(pod);
      Fold(snapshot_, needs_.keep).add(pod);
    };
    if (!needs_.on_object) return ItemReader::of_pods(add);
    return ItemReader::of_objects("PodList", [this, add](const nlohmann::json& object) {
      reading_.tell(object, "v1", "Pod");
      add(decode::pod_from_json(object));
    });
  }

  /// Of bound pods on other nodes than these: the others are read with their node, or as they wait.
  ItemReader reader_beside(std::set<std::string, std::less<>> nodes) {
    return ItemReader::of_pods([this, nodes = std::move(nodes)](const Pod& pod) {
      if (nodes.contains(pod.node_name) || pod.node_name.empty()) return;
      reading_.count_pod();
      Fold(snapshot_, needs_.keep).add(pod);
    });
  }

  void check_all(const std::vector<Reply>& replies) const {
    for (const Reply& reply : replies)
      if (!reply.ok()) throw error_of(reply, client_.connection());
  }

  [[nodiscard]] std::vector<std::string> gpu_nodes() const {
    const auto with_devices = nodes_of_slices(snapshot_);
    std::vector<std::string> names;
    for (const Node& node : snapshot_.nodes)
      if (is_gpu_node(node) || with_devices.contains(node.name)) names.push_back(node.name);
    return names;
  }

  void read_pods() {
    if (needs_.pod_lists == PodLists::none) return;
    if (!needs_.only_namespace.empty()) return read_pods_of_only_namespace();
    if (needs_.on_object || needs_.pod_lists == PodLists::all) {
      forget_pods();
      return read_all_pods();
    }
    const std::vector<std::string> nodes = nodes_of_interest();
    if (nodes.empty() && needs_.pod_selectors.empty()) {
      snapshot_.pod_coverage = Coverage::whole;
      ListBatch batch = new_batch(accept_);
      run_with_claims(batch);
      return;
    }
    if (lists_by_node(nodes.size()) && read_pods_by_node(nodes)) return;
    forget_pods();
    read_all_pods();
  }

  /// Of nodes whose pods are read.
  [[nodiscard]] std::vector<std::string> nodes_of_interest() const {
    std::vector<std::string> names = gpu_nodes();
    if (!needs_.also_pods_of) return names;
    const std::set<std::string, std::less<>> known(names.begin(), names.end());
    for (const Node& node : snapshot_.nodes)
      if (!known.contains(node.name) && needs_.also_pods_of(node)) names.push_back(node.name);
    return names;
  }

  [[nodiscard]] bool lists_by_node(std::size_t gpu_nodes) const {
    switch (needs_.pod_lists) {
      case PodLists::by_node:
        return true;
      case PodLists::one:
      case PodLists::all:
      case PodLists::none:
        return false;
      case PodLists::automatic:
        break;
    }
    const bool all_nodes_known = needs_.node_names.empty() && needs_.node_selector.empty();
    return gpu_nodes <= kMostListsByNode &&
           (!all_nodes_known || gpu_nodes * 2 < snapshot_.nodes.size());
  }

  void forget_pods() {
    snapshot_.sums.clear();
    snapshot_.pods.clear();
    snapshot_.controlled.clear();
    saw_system_pod_ = false;
    pods_seen_ = {};
    telemetry_ = {};
    scheduling_.forget_pods();
    snapshot_.waiting.reset();
    if (needs_.waiting_pods) snapshot_.waiting.emplace();
  }

  /// The replies for the pods of `batch`; with them the claims are read, unless they were.
  std::vector<Reply> run_with_claims(ListBatch& batch) {
    const std::size_t pods = batch.size();
    dra_.add_claims(batch);
    std::vector<Reply> replies = batch.run();
    dra_.conclude_claims(replies);
    replies.resize(pods);
    return replies;
  }

  /// False when the server asks to slow down: one list is then kinder to it.
  bool read_pods_by_node(const std::vector<std::string>& nodes) {
    forget_pods();
    ListBatch batch = new_batch(accept_);
    const ListOptions options{.accept = {}, .on_throttle = OnThrottle::report};
    const std::string wanted = pods_wanted();
    const std::string phases = wanted.empty() ? "" : "," + wanted;
    for (const std::string& node : nodes)
      batch.add(list_path("/api/v1/pods",
                          {{"fieldSelector", "spec.nodeName=" + field_value(node) + phases}}),
                pod_reader(), options);
    if (needs_.waiting_pods)
      batch.add(
          list_path("/api/v1/pods", {{"fieldSelector", "spec.nodeName=,status.phase=Pending"}}),
          pod_reader(), options);
    for (const std::string& selector : needs_.pod_selectors)
      batch.add(list_path("/api/v1/pods", {{"labelSelector", selector}, {"fieldSelector", wanted}}),
                reader_beside({nodes.begin(), nodes.end()}), options);
    const std::vector<Reply> replies = run_with_claims(batch);
    for (const Reply& reply : replies) {
      if (reply.status == 429) return false;
      if (reply.status == 403) {
        read_pods_of_namespaces(reply);
        return true;
      }
    }
    check_all(replies);
    judge_pods(PodsOf::nodes);
    return true;
  }

  /// A selector of phases; empty: all.
  [[nodiscard]] std::string pods_wanted() const {
    if (needs_.finished_pods) return {};
    const bool wants_failed = needs_.pod_lists == PodLists::all || needs_.waiting_pods;
    return std::string(wants_failed ? kNotSucceeded : kLivePods);
  }

  void add_pods_of(ListBatch& batch, const std::string& ns) {
    batch.add(list_path("/api/v1/namespaces/" + percent_encoded(ns) + "/pods",
                        {{"fieldSelector", pods_wanted()}}),
              pod_reader());
  }

  void read_all_pods() {
    ListBatch batch = new_batch(accept_);
    batch.add(list_path("/api/v1/pods", {{"fieldSelector", pods_wanted()}}), pod_reader());
    const std::vector<Reply> replies = run_with_claims(batch);
    if (replies.front().status == 403) return read_pods_of_namespaces(replies.front());
    check_all(replies);
    judge_pods(PodsOf::cluster);
  }

  /// Which pods a list was asked for.
  enum class PodsOf { nodes, cluster };

  /// A server in between may leave out what is not one's own, and answer as if that were all. Every
  /// cluster has kube-system: where no pod of it is seen, the list of namespaces tells. Someone who
  /// may not list these is believed, unless no pod of the whole cluster is of kube-system.
  void judge_pods(PodsOf asked) {
    snapshot_.pod_coverage = Coverage::whole;
    if (saw_system_pod_) return;
    const NamespaceList listed = list_namespaces(new_batch("application/json"));
    const bool is_refused = listed.reply.status == 403;
    if (listed.reply.ok() ? may_be_all(listed.names) : asked == PodsOf::nodes || !is_refused)
      return;
    snapshot_.pod_coverage = Coverage::partial;
    snapshot_.waiting.reset();
    snapshot_.gaps.push_back(
        {.what = "no pod of kube-system was seen, so more may be allocated than was seen",
         .why = is_refused ? error_of(listed.reply, client_.connection()).message()
                           : std::string(kFilteredNamespaces),
         .help = std::string(kReadAllPods),
         .missing = Missing::pods});
  }

  /// What nodes hold beside that is not asked for, so it is no gap.
  void read_pods_of_only_namespace() {
    forget_pods();
    ListBatch batch = new_batch(accept_);
    add_pods_of(batch, needs_.only_namespace);
    if (wants_metrics()) add_exporters(batch);
    std::vector<Reply> replies = run_with_claims(batch);
    judge_exporters({replies.begin() + 1, replies.end()});
    replies.resize(1);
    if (replies.front().status == 403) {
      snapshot_.waiting.reset();
      return add_gap("pods of the namespace " + needs_.only_namespace + " cannot be listed",
                     replies.front(), {.missing = Missing::pods});
    }
    check_all(replies);
    snapshot_.pod_coverage = Coverage::partial;
  }

  /// Exporters live in other namespaces than the pods that are asked for.
  void add_exporters(ListBatch& batch) {
    for (const std::string& selector : telemetry::exporter_selectors())
      batch.add(list_path("/api/v1/pods", {{"labelSelector", std::string(selector)},
                                           {"fieldSelector", std::string(kLivePods)}}),
                ItemReader::of_pods([this](const Pod& pod) { telemetry_.add(pod); }));
  }

  void judge_exporters(const std::vector<Reply>& replies) {
    const auto failed = std::find_if(replies.begin(), replies.end(),
                                     [](const Reply& reply) { return !reply.ok(); });
    telemetry_.is_whole = failed == replies.end();
    if (!telemetry_.is_whole)
      add_gap("exporters of GPU metrics in other namespaces cannot be found", *failed,
              {.about = GapTopic::use});
  }

  [[nodiscard]] bool wants_metrics() const { return needs_.metrics.choice != MetricsChoice::none; }

  [[nodiscard]] bool wants_history() const {
    const MetricsChoice choice = needs_.metrics.choice;
    return needs_.metrics.history &&
           (choice == MetricsChoice::automatic || choice == MetricsChoice::prometheus);
  }

  void read_metrics() {
    const std::vector<std::string> names =
        snapshot_.node_coverage == Coverage::whole ? gpu_nodes() : nodes_of_holders();
    if (names.empty()) return;
    telemetry_.is_whole = telemetry_.is_whole || snapshot_.pod_coverage == Coverage::whole;
    read_live_metrics(reading_, std::move(telemetry_), {names.begin(), names.end()}, prometheus_);
  }

  /// Without sight of nodes: those on which pods that were seen ask for GPUs.
  [[nodiscard]] std::vector<std::string> nodes_of_holders() const {
    std::vector<std::string> names;
    for (const auto& [node, sums] : snapshot_.sums)
      if (asks_for_gpus(sums)) names.push_back(node);
    return names;
  }

  /// For someone who may not list pods everywhere: each namespace that may be seen, by itself.
  void read_pods_of_namespaces(const Reply& forbidden) {
    forget_pods();
    const std::optional<std::vector<std::string>> listed =
        namespaces_by(new_batch("application/json"));
    const std::vector<std::string> tried =
        listed.value_or(std::vector<std::string>{needs_.ns.empty() ? "default" : needs_.ns});
    ListBatch batch = new_batch(accept_);
    for (const std::string& ns : tried) add_pods_of(batch, ns);
    std::vector<std::string> seen;
    const std::vector<Reply> replies = batch.run();
    for (std::size_t i = 0; i < replies.size(); ++i) {
      if (replies[i].ok())
        seen.push_back(tried[i]);
      else if (replies[i].status != 403)
        throw error_of(replies[i], client_.connection());
    }
    if (listed && may_be_all(*listed) && seen.size() == tried.size()) {
      snapshot_.pod_coverage = Coverage::whole;
      return;
    }
    snapshot_.waiting.reset();
    snapshot_.pod_coverage = seen.empty() ? Coverage::none : Coverage::partial;
    add_gap(pod_gap(seen), forbidden, {.missing = Missing::pods});
  }

  static std::string pod_gap(const std::vector<std::string>& seen) {
    if (seen.empty()) return "pods cannot be listed, so what is allocated and free is unknown";
    return "pods can be listed in " + std::to_string(seen.size()) +
           (seen.size() == 1 ? " namespace" : " namespaces") + " only (" +
           first_few(seen, kMostNamed) + "), so more may be allocated than was seen";
  }

  struct GapKind {
    GapTopic about = GapTopic::none;
    Missing missing = Missing::none;
  };

  void add_gap(std::string what, const Reply& forbidden, const GapKind& kind) {
    const Error error = error_of(forbidden, client_.connection());
    snapshot_.gaps.push_back(
        {.what = std::move(what),
         .why = error.message(),
         .help = error.help(),
         .about = kind.about,
         .missing = kind.missing,
         .cause = forbidden.status == 403 ? GapCause::refused : GapCause::other});
  }

  Client& client_;
  const Needs& needs_;
  std::string accept_;
  Snapshot snapshot_;
  CollectContext reading_{client_, needs_, snapshot_};
  DraReader dra_{reading_};
  SchedulingReader scheduling_{reading_};
  telemetry::TelemetryPods telemetry_;
  telemetry::KnownPrometheus prometheus_;
  bool saw_system_pod_ = false;
  NamesSeen nodes_seen_;
  NamesSeen pods_seen_;
};

/// "v1.36.1": gitVersion of the server's /version. Empty where it does not tell; nothing else fails
/// for that.
std::string server_version(Client& client) {
  const Reply reply = client.fetch(Request{.path = "/version"});
  if (!reply.ok()) return {};
  const nlohmann::json answer = nlohmann::json::parse(reply.body, nullptr, false);
  if (!answer.is_object()) return {};
  const auto version = answer.find("gitVersion");
  return version != answer.end() && version->is_string() ? version->get<std::string>() : "";
}

}  // namespace

Snapshot collect(Client& client, const Needs& needs) {
  Snapshot snapshot = Collector(client, needs).run();
  if (needs.server_version) snapshot.server_version = server_version(client);
  return snapshot;
}

}  // namespace gpu::kube
