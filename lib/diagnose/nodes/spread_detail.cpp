#include "diagnose/nodes/spread_detail.hpp"

#include <fmt/format.h>

#include "model/objects/selector_text.hpp"

namespace gpu::diagnose {
namespace {

/// "eu-1b has 1", "eu-1b and eu-1c have 1".
std::string emptiest_text(const scheduler::SpreadBreach& breach) {
  const std::vector<std::string> names(breach.emptiest.begin(), breach.emptiest.end());
  return fmt::format("{} {} {}", names_text(names), names.size() == 1 ? "has" : "have",
                     breach.fewest);
}

bool lacks_domains(const scheduler::SpreadBreach& breach) {
  return breach.domains < breach.rule->min_domains.value_or(1);
}

std::string counted_text(const scheduler::SpreadBreach& breach) {
  const auto& selector = breach.rule->selector;
  const std::string what = selector ? text_of(*selector) : "";
  return fmt::format("{} {}{}", breach.pods, breach.pods == 1 ? "pod" : "pods",
                     what.empty() ? "" : " with " + what);
}

}  // namespace

SpreadDetails::SpreadDetails(const scheduler::Overlay& overlay, const Pod& pod)
    : overlay_(overlay),
      affinity_(overlay.cluster(), pod),
      taints_(overlay, pod),
      spread_(overlay, pod, affinity_, taints_) {}

std::string SpreadDetails::detail(std::size_t node) const {
  const auto breach = spread_.breach(overlay_.view(node));
  if (!breach) return {};
  if (breach->here.empty()) return "no label " + breach->rule->topology_key;
  if (lacks_domains(*breach) || breach->emptiest.empty())
    return fmt::format("{} has {}", breach->here, breach->pods);
  return fmt::format("{} has {}, {}", breach->here, breach->pods, emptiest_text(*breach));
}

std::string SpreadDetails::headline(const RuledOut& ruled_out) const {
  const std::size_t nearest = ruled_out.nodes.front();
  const auto breach = spread_.breach(overlay_.view(nearest));
  if (!breach) return {};
  const TopologySpread& rule = *breach->rule;
  const std::string_view key = last_part(rule.topology_key);
  if (breach->here.empty())
    return fmt::format("the pod spreads over {}, and {} such label", rule.topology_key,
                       ruled_out.nodes.size() == 1 ? overlay_.state(nearest).node->name + " has no"
                                                   : "none of the " + ruled_out.title + " has");
  const std::string lead = fmt::format("spread over {} allows skew {}", key, rule.max_skew);
  if (lacks_domains(*breach))
    return fmt::format("{} from 0 while fewer than {} {}s count: {} has {}", lead,
                       *rule.min_domains, key, breach->here, counted_text(*breach));
  if (breach->emptiest.empty()) return {};
  return fmt::format("{}: {} has {}, {}, and no node there fits", lead, breach->here,
                     counted_text(*breach), emptiest_text(*breach));
}

}  // namespace gpu::diagnose
