#include "checkup/run/checkup.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/stack/pci_label.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::checkup {
namespace {

/// What kubelets say of sandboxes that no runtime can make, and autoscalers of the nodes that they
/// bring.
constexpr std::array<std::string_view, 3> kEventReasons = {"FailedCreatePodSandBox", "Nominated",
                                                           "TriggeredScaleUp"};

using Wanted = std::set<std::string_view>;

const Check* check_named(std::string_view name) {
  const auto all = all_checks();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Check& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// Adds a check and all that it needs.
void add_needed(std::string_view name, Wanted& to) {
  const Check* const check = check_named(name);
  if (check == nullptr || !to.insert(name).second) return;
  for (const std::string_view need : check->needs) add_needed(need, to);
}

/// The checks in `names`, and all that these need; all where there are no names.
Wanted wanted_of(std::span<const std::string> names) {
  Wanted wanted;
  for (const std::string& name : names) add_needed(name, wanted);
  if (names.empty())
    for (const Check& each : all_checks()) wanted.insert(each.name);
  return wanted;
}

/// What a check that failed keeps from those that need it.
struct Block {
  std::string_view by;          ///< the check
  bool is_everywhere = false;   ///< or on all nodes with GPUs
  std::set<std::string> nodes;  ///< else on these
};

bool is_trouble(const CheckResult& result) {
  return result.state == CheckState::failed || result.state == CheckState::warning;
}

/// Runs checks in their order, and knows which of them failed, and on which nodes.
class Run {
 public:
  explicit Run(const CheckContext& context) : context_(context) {}

  CheckResults of(const Check& check) {
    const Block block = block_of(check);
    if (context_.nodes.empty() && !block.is_everywhere && is_about_nodes(check)) {
      without_nodes_.insert(check.name);
      return {{.state = CheckState::skipped, .says = "no node has GPUs"}};
    }
    if (block.is_everywhere) {
      blocks_[check.name] = block;
      return {{.state = CheckState::skipped,
               .says = "needs " + std::string(block.by),
               .blocked_by = std::string(block.by)}};
    }
    CheckResults results = check.run(context_);
    note_failures(check.name, block, results);
    if (!block.nodes.empty()) drop_blocked(block, results);
    return results;
  }

 private:
  /// Without nodes with GPUs it has nothing to look at, nor have those that need it.
  [[nodiscard]] bool is_about_nodes(const Check& check) const {
    return std::any_of(check.needs.begin(), check.needs.end(), [&](std::string_view need) {
      return need == "gpu-nodes" || without_nodes_.contains(need);
    });
  }

  /// What those that `check` needs keep from it.
  [[nodiscard]] Block block_of(const Check& check) const {
    Block block;
    for (const std::string_view need : check.needs) {
      const auto found = blocks_.find(need);
      if (found == blocks_.end()) continue;
      if (found->second.is_everywhere) return found->second;
      block.by = found->second.by;
      block.nodes.insert(found->second.nodes.begin(), found->second.nodes.end());
    }
    return block;
  }

  void note_failures(std::string_view name, Block block, const CheckResults& results) {
    bool has_failed = false;
    for (const CheckResult& each : results) {
      if (each.state != CheckState::failed) continue;
      has_failed = true;
      block.is_everywhere = block.is_everywhere || each.nodes.empty();
      block.nodes.insert(each.nodes.begin(), each.nodes.end());
    }
    if (has_failed) block.by = name;
    block.is_everywhere = block.is_everywhere || block.nodes.size() >= context_.nodes.size();
    if (has_failed || !block.nodes.empty()) blocks_[name] = std::move(block);
  }

  /// Of nodes on which something failed that they need, it says nothing.
  static void drop_blocked(const Block& block, CheckResults& results) {
    const bool had_trouble = std::any_of(results.begin(), results.end(), is_trouble);
    std::erase_if(results, [&](const CheckResult& each) {
      return is_trouble(each) && !each.nodes.empty() &&
             std::all_of(each.nodes.begin(), each.nodes.end(),
                         [&](const std::string& node) { return block.nodes.contains(node); });
    });
    if (!had_trouble || !results.empty()) return;
    const std::vector<std::string> nodes(block.nodes.begin(), block.nodes.end());
    results.push_back({.state = CheckState::skipped,
                       .says = "needs " + std::string(block.by) + " on " + names_text(nodes) +
                               "; elsewhere nothing is wrong",
                       .nodes = nodes});
  }

  const CheckContext& context_;
  std::map<std::string_view, Block> blocks_;
  std::set<std::string_view> without_nodes_;  ///< checks that had no node to look at
};

}  // namespace

std::string_view name_of(CheckState state) {
  switch (state) {
    case CheckState::ok:
      return "ok";
    case CheckState::warning:
      return "warn";
    case CheckState::failed:
      return "FAIL";
    case CheckState::skipped:
      return "skip";
  }
  return {};
}

std::vector<CheckInfo> checks() {
  std::vector<CheckInfo> infos;
  for (const Check& each : all_checks()) infos.push_back({.name = each.name, .says = each.says});
  return infos;
}

CheckNeeds needs_of(std::span<const std::string> names) {
  const Wanted wanted = wanted_of(names);
  CheckNeeds needs;
  for (const Check& each : all_checks()) {
    if (!wanted.contains(each.name)) continue;
    needs.needs_cluster = needs.needs_cluster || each.looks_at == Check::LooksAt::cluster;
    needs.kinds = needs.kinds | each.kinds;
  }
  for (const std::string_view reason : kEventReasons) needs.event_reasons.emplace_back(reason);
  needs.pod_selectors = operator_selectors();
  return needs;
}

bool is_of_interest(const Pod& pod) {
  if (has_had_gpus(pod) || sees_all_gpus(pod) || !pod.runtime_class.empty()) return true;
  return is_of_stack(pod) || !operator_of(pod).empty();
}

bool may_have_gpus(const Node& node) {
  return std::any_of(node.taints.begin(), node.taints.end(),
                     [](const Taint& taint) { return gpu_resource(taint.key).has_value(); }) ||
         std::any_of(node.labels.begin(), node.labels.end(), [](const auto& label) {
           return diagnose::pci_label(label.first).has_value();
         });
}

CheckUp check_up(const Snapshot& snapshot, const Surroundings& surroundings,
                 std::span<const std::string> names) {
  const CheckContext context(snapshot, surroundings);
  const Wanted wanted = wanted_of(names);
  const Wanted shown(names.begin(), names.end());
  Run run(context);
  CheckUp all{.results = {}, .gpu_nodes = static_cast<std::int64_t>(context.nodes.size())};
  for (const Check& check : all_checks()) {
    if (!wanted.contains(check.name)) continue;
    CheckResults results = run.of(check);
    if (!names.empty() && !shown.contains(check.name)) continue;
    for (CheckResult& each : results) {
      each.check = check.name;
      all.results.push_back(std::move(each));
    }
  }
  return all;
}

}  // namespace gpu::checkup
