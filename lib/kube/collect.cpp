#include "kube/collect.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "decode/node.hpp"
#include "decode/pod.hpp"
#include "kube/dra_nodes.hpp"
#include "kube/item_reader.hpp"
#include "kube/list_batch.hpp"
#include "kube/list_path.hpp"
#include "kube/missing_nodes.hpp"
#include "model/pool.hpp"

namespace gpu::kube {
namespace {

constexpr std::string_view kProtobufThenJson =
    "application/vnd.kubernetes.protobuf, application/json;q=0.9";
constexpr std::string_view kLivePods = "status.phase!=Succeeded,status.phase!=Failed";
/// Measured on 5,000 nodes and 100,000 pods: 500 lists by node take 0.7 s, one list 4 to 13 s.
constexpr std::size_t kMostListsByNode = 500;
constexpr std::size_t kMostNodesByName = 16;

/// At most three names.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMost ? text + ", ..." : text;
}

class Collector {
 public:
  Collector(Client& client, const Needs& needs)
      : client_(client),
        needs_(needs),
        accept_(needs.wire == WireChoice::json || needs.on_object
                    ? "application/json"
                    : std::string(kProtobufThenJson)) {}

  Snapshot run() {
    read_nodes();
    read_dra_nodes(client_, snapshot_);
    read_pods();
    Fold(snapshot_).finish();
    return std::move(snapshot_);
  }

 private:
  using Query = std::vector<std::pair<std::string_view, std::string>>;

  void read_nodes() {
    const auto& names = needs_.node_names;
    if (names.empty() || names.size() > kMostNodesByName) {
      list_nodes({{"labelSelector", needs_.node_selector}});
    } else {
      ListBatch batch(client_, accept_);
      for (const std::string& name : names)
        batch.add(
            list_path("/api/v1/nodes", {{"fieldSelector", "metadata.name=" + field_value(name)},
                                        {"labelSelector", needs_.node_selector}}),
            node_reader());
      check_all(batch.run());
    }
    snapshot_.node_sight = Sight::whole;
    if (!missing_names(snapshot_.nodes, names).empty()) refuse_missing_nodes();
    keep_only(snapshot_.nodes, names);
  }

  /// Reads every node's name, so that the error can name the nearest.
  [[noreturn]] void refuse_missing_nodes() {
    const std::vector<std::string> missing = missing_names(snapshot_.nodes, needs_.node_names);
    snapshot_.nodes.clear();
    list_nodes({});
    throw missing_node_error(missing.front(), snapshot_.nodes, needs_.node_selector);
  }

  void list_nodes(const Query& query) {
    ListBatch batch(client_, accept_);
    batch.add(list_path("/api/v1/nodes", query), node_reader());
    check_all(batch.run());
  }

  ItemReader node_reader() {
    if (needs_.on_object)
      return ItemReader::of_objects("NodeList", [this](const nlohmann::json& object) {
        needs_.on_object(object, "v1", "Node");
        Fold(snapshot_).add(decode::node_from_json(object));
      });
    return ItemReader::of_nodes([this](Node&& node) { Fold(snapshot_).add(std::move(node)); });
  }

  ItemReader pod_reader() {
    if (needs_.on_object)
      return ItemReader::of_objects("PodList", [this](const nlohmann::json& object) {
        needs_.on_object(object, "v1", "Pod");
        Fold(snapshot_, needs_.keep).add(decode::pod_from_json(object));
      });
    return ItemReader::of_pods([this](Pod&& pod) { Fold(snapshot_, needs_.keep).add(pod); });
  }

  void check_all(const std::vector<Reply>& replies) const {
    for (const Reply& reply : replies)
      if (!reply.ok()) throw error_of(reply, client_.connection());
  }

  void read_pods() {
    if (needs_.pod_lists == PodLists::none) return;
    std::vector<std::string> gpu_nodes;
    for (const Node& node : snapshot_.nodes)
      if (is_gpu_node(node)) gpu_nodes.push_back(node.name);
    if (gpu_nodes.empty() && !needs_.on_object) {
      snapshot_.pod_sight = Sight::whole;
      return;
    }
    if (!needs_.on_object && lists_by_node(gpu_nodes.size()) && read_pods_by_node(gpu_nodes))
      return;
    forget_pods();
    read_all_pods();
  }

  [[nodiscard]] bool lists_by_node(std::size_t gpu_nodes) const {
    switch (needs_.pod_lists) {
      case PodLists::by_node:
        return true;
      case PodLists::one:
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
    snapshot_.waiting.reset();
    if (needs_.waiting_pods) snapshot_.waiting.emplace();
  }

  /// False when the server asks to slow down: one list is then kinder to it.
  bool read_pods_by_node(const std::vector<std::string>& nodes) {
    forget_pods();
    ListBatch batch(client_, accept_);
    for (const std::string& node : nodes)
      batch.add(list_path("/api/v1/pods", {{"fieldSelector", "spec.nodeName=" + field_value(node) +
                                                                 "," + std::string(kLivePods)}}),
                pod_reader());
    if (needs_.waiting_pods)
      batch.add(
          list_path("/api/v1/pods", {{"fieldSelector", "spec.nodeName=,status.phase=Pending"}}),
          pod_reader());
    const std::vector<Reply> replies = batch.run(OnThrottle::report);
    for (const Reply& reply : replies) {
      if (reply.status == 429) return false;
      if (reply.status == 403) {
        read_pods_of_namespaces(reply);
        return true;
      }
    }
    check_all(replies);
    snapshot_.pod_sight = Sight::whole;
    return true;
  }

  void read_all_pods() {
    ListBatch batch(client_, accept_);
    batch.add(list_path("/api/v1/pods", {{"fieldSelector", std::string(kLivePods)}}), pod_reader());
    const std::vector<Reply> replies = batch.run();
    if (replies.front().status == 403) return read_pods_of_namespaces(replies.front());
    check_all(replies);
    snapshot_.pod_sight = Sight::whole;
  }

  /// For someone who may not list pods everywhere: each namespace that may be seen, by itself.
  void read_pods_of_namespaces(const Reply& forbidden) {
    forget_pods();
    const std::optional<std::vector<std::string>> listed = namespaces();
    const std::vector<std::string> tried =
        listed.value_or(std::vector<std::string>{needs_.ns.empty() ? "default" : needs_.ns});
    ListBatch batch(client_, accept_);
    for (const std::string& ns : tried)
      batch.add(list_path("/api/v1/namespaces/" + percent_encoded(ns) + "/pods",
                          {{"fieldSelector", std::string(kLivePods)}}),
                pod_reader());
    std::vector<std::string> seen;
    const std::vector<Reply> replies = batch.run();
    for (std::size_t i = 0; i < replies.size(); ++i) {
      if (replies[i].ok())
        seen.push_back(tried[i]);
      else if (replies[i].status != 403)
        throw error_of(replies[i], client_.connection());
    }
    if (listed && seen.size() == tried.size()) {
      snapshot_.pod_sight = Sight::whole;
      return;
    }
    snapshot_.waiting.reset();
    snapshot_.pod_sight = seen.empty() ? Sight::none : Sight::partial;
    snapshot_.gaps.push_back(pod_gap(forbidden, seen));
  }

  /// All namespaces, or nothing when they may not be listed.
  std::optional<std::vector<std::string>> namespaces() {
    std::vector<std::string> names;
    ListBatch batch(client_, "application/json");
    batch.add(list_path("/api/v1/namespaces", {}),
              ItemReader::of_objects("NamespaceList", [&names](const nlohmann::json& object) {
                static const nlohmann::json::json_pointer kName("/metadata/name");
                if (object.contains(kName) && object[kName].is_string())
                  names.push_back(object[kName].get<std::string>());
              }));
    if (!batch.run().front().ok()) return std::nullopt;
    return names;
  }

  [[nodiscard]] Gap pod_gap(const Reply& forbidden, const std::vector<std::string>& seen) const {
    Gap gap;
    if (seen.empty()) {
      gap.what = "pods cannot be listed, so what is allocated and free is unknown";
    } else {
      gap.what = "pods can be listed in " + std::to_string(seen.size()) +
                 (seen.size() == 1 ? " namespace" : " namespaces") + " only (" + some_of(seen) +
                 "), so more may be allocated than was seen";
    }
    const Error error = error_of(forbidden, client_.connection());
    gap.why = error.message();
    gap.help = error.help();
    return gap;
  }

  Client& client_;
  const Needs& needs_;
  std::string accept_;
  Snapshot snapshot_;
};

}  // namespace

Snapshot collect(Client& client, const Needs& needs) { return Collector(client, needs).run(); }

}  // namespace gpu::kube
