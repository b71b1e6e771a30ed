#include "diagnose/stack/operator_label.hpp"

#include <string_view>

#include "base/text.hpp"

namespace gpu::diagnose {

// The operator runs each of its parts by a label of the node, and people switch parts off by it:
// all of them by one label, whose removal lets the operator set the others anew.
std::optional<Advice> operator_label_advice(const Node& node,
                                            const std::vector<std::string>& missing) {
  constexpr std::string_view kPart = "nvidia.com/gpu.deploy.";
  constexpr std::string_view kAll = "nvidia.com/gpu.deploy.operands";
  if (missing.size() != 1 || !missing.front().starts_with(kPart)) return std::nullopt;
  const std::string& wanted = missing.front();
  const std::string lead = "kubectl label node " + shell_quoted(node.name) + " ";
  if (value_of(node.labels, kAll) == "false")
    return Advice{.summary = "take the label " + std::string(kAll) + "=false off " + node.name +
                             " to use its GPUs: it switches all of the operator's "
                             "pods off there",
                  .command = lead + std::string(kAll) + "-"};
  const std::string_view has = value_of(node.labels, wanted.substr(0, wanted.find('=')));
  if (has == "false")
    return Advice{.summary = "set the label " + wanted + " on " + node.name +
                             " to use its GPUs: someone has switched the operator's "
                             "device plugin off there",
                  .command = lead + shell_quoted(wanted) + " --overwrite"};
  // The operator sets it, and pauses its parts while it works on the node.
  return Advice{.summary = has.empty()
                               ? "see whether NVIDIA's operator runs: it sets this label on nodes "
                                 "with the label nvidia.com/gpu.present=true"
                               : "wait: the operator has paused the device plugin there (" +
                                     std::string(has) + "); if that stays, read the operator's log",
                .command = "kubectl get pods -A -l app=gpu-operator"};
}

}  // namespace gpu::diagnose
