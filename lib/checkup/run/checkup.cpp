#include "checkup/run/checkup.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/stack/pci_label.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::checkup {
namespace {

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

CheckState worst_of(const CheckResults& results) {
  const auto rank = [](CheckState state) {
    switch (state) {
      case CheckState::ok:
        return 0;
      case CheckState::skipped:
        return 1;
      case CheckState::warning:
        return 2;
      case CheckState::failed:
        return 3;
    }
    return 0;
  };
  CheckState worst = CheckState::ok;
  for (const CheckResult& each : results)
    if (rank(each.state) > rank(worst)) worst = each.state;
  return worst;
}

/// Runs checks in their order, and knows which of them failed.
class Run {
 public:
  explicit Run(const CheckContext& context) : context_(context) {}

  CheckResults of(const Check& check) {
    const std::string_view missing = missing_need(check);
    if (!missing.empty()) {
      blocked_by_[check.name] = missing;
      return {{.state = CheckState::skipped, .says = "needs " + std::string(missing)}};
    }
    CheckResults results = check.run(context_);
    if (worst_of(results) == CheckState::failed) blocked_by_[check.name] = check.name;
    return results;
  }

 private:
  /// The check that failed, on which `check` depends by whatever way; empty: none.
  std::string_view missing_need(const Check& check) const {
    for (const std::string_view need : check.needs)
      if (const auto found = blocked_by_.find(need); found != blocked_by_.end())
        return found->second;
    return {};
  }

  const CheckContext& context_;
  std::map<std::string_view, std::string_view> blocked_by_;
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
  return needs;
}

bool is_of_interest(const Pod& pod) {
  if (has_had_gpus(pod) || sees_all_gpus(pod) || !pod.runtime_class.empty()) return true;
  return is_of_stack(pod);
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
