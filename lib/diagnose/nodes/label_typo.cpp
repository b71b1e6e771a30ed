#include "diagnose/nodes/label_typo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/text.hpp"
#include "model/objects/own_kind.hpp"
#include "model/objects/selector_text.hpp"
#include "scheduler/cluster/node_labels.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
/// Values named in an advice.
constexpr std::size_t kMostValues = 4;

struct Label {
  std::string key;
  std::string value;
};

/// All keys of labels that nodes have. For Cluster::shared().
struct LabelKeys {
  explicit LabelKeys(const scheduler::Cluster& cluster) {
    for (const scheduler::NodeState& state : cluster.nodes())
      for (const auto& [key, value] : state.node->labels) keys.emplace(key);
  }
  std::set<std::string_view, std::less<>> keys;
  mutable std::map<std::string, std::string, std::less<>> nearest;  ///< by key; empty: none
};

/// What the GPU operator's labels add to a product that is cut up or shared: other goods.
bool is_other_product(std::string_view a, std::string_view b) {
  const auto tells_apart = [&](std::string_view mark) {
    return contains(a, mark) != contains(b, mark);
  };
  return tells_apart("-mig-") || tells_apart("-shared");
}

/// Whether `part` stands in `whole` between its ends, dashes, dots and underscores.
bool is_part_of(std::string_view part, std::string_view whole) {
  constexpr std::string_view kBetween = "-._";
  const auto is_end = [&](std::size_t at) {
    return at >= whole.size() || contains(kBetween, std::string_view(&whole[at], 1));
  };
  if (part.size() < 2) return false;
  for (std::size_t at = whole.find(part); at != std::string_view::npos;
       at = whole.find(part, at + 1))
    if ((at == 0 || is_end(at - 1)) && is_end(at + part.size())) return true;
  return false;
}

/// A value that was meant, in part or but for its letter case.
bool is_meant(const std::string& asked, const std::string& has) {
  return !is_other_product(asked, has) &&
         (asked == has || is_part_of(asked, has) || is_part_of(has, asked));
}

/// The values of a label that were meant by another: by their look, or, where none has that, the
/// one with the fewest letters changed.
std::set<std::string, std::less<>> values_meant(const scheduler::LabelColumn& column,
                                                const std::string& asked) {
  const std::string wanted = lower_case(asked);
  std::set<std::string, std::less<>> meant;
  std::vector<std::string> lower;
  std::vector<std::string_view> others;  // as they are, in the same order
  for (std::size_t i = 1; i < column.values.size(); ++i) {
    if (column.values[i] == asked) continue;
    lower.push_back(lower_case(column.values[i]));
    others.push_back(column.values[i]);
    if (is_meant(wanted, lower.back())) meant.emplace(column.values[i]);
  }
  if (!meant.empty()) return meant;
  const auto near = nearest_name(wanted, std::vector<std::string_view>(lower.begin(), lower.end()));
  for (std::size_t i = 0; near && i < lower.size(); ++i)
    if (lower[i] == *near && !is_other_product(wanted, lower[i])) meant.emplace(others[i]);
  return meant;
}

/// The same, worked out once for all nodes. For Cluster::shared().
class MeantValues {
 public:
  explicit MeantValues(const scheduler::Cluster& cluster) : cluster_(cluster) {}
  [[nodiscard]] bool has(const std::string& key, const std::string& asked,
                         const std::string& value) const {
    const auto [at, is_new] = known_.try_emplace({key, asked});
    if (is_new)
      at->second = values_meant(cluster_.shared<scheduler::NodeLabels>().column(key), asked);
    return at->second.contains(value);
  }

 private:
  const scheduler::Cluster& cluster_;
  mutable std::map<std::pair<std::string, std::string>, std::set<std::string, std::less<>>> known_;
};

std::string_view prefix_of(std::string_view key) {
  const std::size_t slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view{} : key.substr(0, slash);
}

bool has_key(const scheduler::Cluster& cluster, std::string_view key) {
  return cluster.shared<LabelKeys>().keys.contains(key);
}

/// A key that nodes have, called much like one that none has: the same behind another prefix, or
/// with the same prefix and a slip behind it.
std::optional<std::string> found_key(const scheduler::Cluster& cluster, std::string_view key) {
  std::vector<std::string_view> same_prefix;
  std::vector<std::string_view> same_name;
  for (const std::string_view each : cluster.shared<LabelKeys>().keys) {
    if (lower_case(last_part(each)) == lower_case(last_part(key))) same_name.push_back(each);
    if (prefix_of(each) == prefix_of(key)) same_prefix.push_back(each);
  }
  if (same_name.size() == 1) return std::string(same_name.front());
  std::vector<std::string_view> names;
  names.reserve(same_prefix.size());
  for (const std::string_view each : same_prefix) names.push_back(last_part(each));
  const auto near = nearest_name(last_part(key), names);
  if (!near) return std::nullopt;
  const std::string_view prefix = prefix_of(key);
  return prefix.empty() ? std::string(*near) : fmt::format("{}/{}", prefix, *near);
}

/// The same, looked for once for all nodes.
std::optional<std::string> nearest_key(const scheduler::Cluster& cluster, const std::string& key) {
  const auto [at, is_new] = cluster.shared<LabelKeys>().nearest.try_emplace(key);
  if (is_new) at->second = found_key(cluster, key).value_or("");
  return at->second.empty() ? std::nullopt : std::optional(at->second);
}

/// The node's label that was meant by one that it lacks.
std::optional<Label> meant_on(const scheduler::Cluster& cluster, const Node& node,
                              const std::string& key, const std::string& value) {
  std::string near = key;
  if (!node.labels.contains(key)) {
    if (has_key(cluster, key)) return std::nullopt;
    near = nearest_key(cluster, key).value_or("");
  }
  const std::string* const has = node.labels.find(near);
  if (has == nullptr) return std::nullopt;
  // A node that there is was meant, however much others' names look like its own; and one slip is
  // likelier than two.
  const bool is_right_elsewhere = (near == kHostname || near != key) && *has != value;
  if (is_right_elsewhere && is_label_of_any(cluster, near, value)) return std::nullopt;
  if (*has != value && !cluster.shared<MeantValues>().has(near, value, *has)) return std::nullopt;
  return Label{near, *has};
}

/// Corrects what keeps `node` from one term; false where something has no correction.
bool correct(const scheduler::Cluster& cluster, const Node& node, NodeSelectorTerm& term,
             std::vector<std::string>& edits) {
  if (!matches({.expressions = {}, .fields = term.fields}, node) && !term.fields.empty())
    return false;
  for (Requirement& each : term.expressions) {
    if (holds(each, node.labels)) continue;
    if (each.op != "In") return false;
    std::optional<Label> meant;
    for (std::string& value : each.values) {
      meant = meant_on(cluster, node, each.key, value);
      if (!meant) continue;
      value = meant->value;
      break;
    }
    if (!meant) return false;
    const std::string was = std::exchange(each.key, meant->key);
    edits.push_back(fmt::format("require {} in its node affinity{}", text_of(each),
                                was == each.key ? "" : " instead of " + was));
  }
  return true;
}

/// Terms stand beside each other: one that lets the node in is enough.
bool correct(const scheduler::Cluster& cluster, const Pod& pod, const Node& node,
             NodeSelector& affinity, std::vector<std::string>& edits) {
  if (matches(affinity, node)) return true;
  // The affinity of a DaemonSet's pod is not the one of its template.
  const OwnerReference* const controller = scheduler::controller_of(pod);
  if (controller != nullptr && is_own(*controller, "DaemonSet")) return false;
  for (NodeSelectorTerm& term : affinity) {
    NodeSelectorTerm changed = term;
    std::vector<std::string> made;
    if (!correct(cluster, node, changed, made) || made.empty()) continue;
    term = std::move(changed);
    edits.insert(edits.end(), made.begin(), made.end());
    return true;
  }
  return false;
}

/// How far a value is from one that was asked for: a part of the other, called much like it, or
/// neither.
int distance_of(const std::vector<std::string>& asked, std::string_view value) {
  const std::string has = lower_case(value);
  int least = 2;
  for (const std::string& each : asked) {
    const std::string wanted = lower_case(each);
    if (is_part_of(wanted, has) || is_part_of(has, wanted)) return 0;
    const std::array<std::string_view, 1> only{has};
    if (nearest_name(wanted, only)) least = 1;
  }
  return least;
}

/// The values of a label and how many nodes have each: those nearest to what was asked for first,
/// then those of most nodes.
std::string values_text(const scheduler::Cluster& cluster, const std::string& key,
                        const std::vector<std::string>& asked) {
  struct Value {
    int distance = 0;
    std::size_t count = 0;
    std::string_view text;
  };
  const scheduler::LabelColumn& column = cluster.shared<scheduler::NodeLabels>().column(key);
  std::vector<Value> values;
  values.reserve(column.values.size());
  for (const std::string_view value : column.values)
    values.push_back({distance_of(asked, value), 0, value});
  for (const std::uint32_t number : column.value_of) ++values[number].count;
  values.erase(values.begin());
  std::stable_sort(values.begin(), values.end(), [](const Value& a, const Value& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.count > b.count;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMostValues); ++i) {
    const auto& [distance, count, value] = values[i];
    text += fmt::format("{}{} on {}", i == 0 ? "" : ", ", value.empty() ? "empty" : value, count);
    if (i == 0) text += count == 1 ? " node" : " nodes";
  }
  if (values.size() > kMostValues) {
    const std::size_t more = values.size() - kMostValues;
    text += fmt::format(", and {} more {}", more, more == 1 ? "value" : "values");
  }
  return text;
}

/// What every node must have: the node selector, and the one term of an affinity that has no other.
std::vector<Requirement> labels_of(const Pod& pod) {
  std::vector<Requirement> all;
  for (const auto& [key, value] : pod.node_selector) all.push_back({key, "In", {value}});
  if (const auto& affinity = pod.placement.node_affinity; affinity && affinity->size() == 1)
    for (const Requirement& each : affinity->front().expressions)
      if (each.op == "In") all.push_back(each);
  return all;
}

}  // namespace

std::optional<CorrectedLabels> corrected_labels(const scheduler::Cluster& cluster, const Pod& pod,
                                                const Node& node) {
  CorrectedLabels made{pod.node_selector, pod.placement.node_affinity, {}};
  if (made.affinity && !correct(cluster, pod, node, *made.affinity, made.edits))
    return std::nullopt;
  StringMap selector;
  for (const auto& [key, value] : pod.node_selector) {
    const std::string* const has = node.labels.find(key);
    if (has != nullptr && *has == value) {
      selector.set(key, value);
      continue;
    }
    const auto meant = meant_on(cluster, node, key, value);
    if (!meant) return std::nullopt;
    selector.set(meant->key, meant->value);
    std::string edit = fmt::format("select {}={}", meant->key, meant->value);
    if (meant->key != key) edit += " instead of " + key;
    made.edits.push_back(std::move(edit));
  }
  made.selector = std::move(selector);
  if (made.edits.empty()) return std::nullopt;
  return made;
}

bool is_label_of_any(const scheduler::Cluster& cluster, std::string_view key,
                     std::string_view value) {
  const auto& values = cluster.shared<scheduler::NodeLabels>().column(key).values;
  return std::find(values.begin() + 1, values.end(), value) != values.end();
}

std::optional<Advice> label_advice(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const Requirement& each : labels_of(pod)) {
    const bool is_anywhere = std::any_of(
        each.values.begin(), each.values.end(),
        [&](const std::string& value) { return is_label_of_any(cluster, each.key, value); });
    if (is_anywhere || each.key == kHostname) continue;
    const std::string columns = "kubectl get nodes -L ";
    if (has_key(cluster, each.key))
      return Advice{.summary = fmt::format("select what nodes have: {} is {}", each.key,
                                           values_text(cluster, each.key, each.values)),
                    .command = columns + shell_quoted(each.key)};
    if (const auto near = nearest_key(cluster, each.key))
      return Advice{
          .summary = fmt::format("select what nodes have: none has a label {}, but {} is "
                                 "{}",
                                 each.key, *near, values_text(cluster, *near, each.values)),
          .command = columns + shell_quoted(*near)};
    return Advice{.summary = fmt::format("select what nodes have: none has a label {}, or one "
                                         "called much like it",
                                         each.key),
                  .command = "kubectl get nodes --show-labels"};
  }
  return std::nullopt;
}

}  // namespace gpu::diagnose
