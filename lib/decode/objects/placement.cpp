#include "decode/objects/placement.hpp"

#include <optional>
#include <vector>

#include "decode/objects/selector.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

PodAffinityTerm term_from_json(const JsonObject& object) {
  PodAffinityTerm term;
  term.selector = object_selector_in(object, "labelSelector");
  term.topology_key = object.text("topologyKey");
  term.namespaces = object.texts("namespaces");
  term.namespace_selector = object_selector_in(object, "namespaceSelector");
  term.match_label_keys = object.texts("matchLabelKeys");
  term.mismatch_label_keys = object.texts("mismatchLabelKeys");
  return term;
}

PodAffinityTerm term_from_protobuf(std::string_view message) {
  PodAffinityTerm term;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        term.selector = object_selector_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(2):
        term.namespaces.push_back(string_of(fields));
        break;
      case bytes_field(3):
        term.topology_key = string_of(fields);
        break;
      case bytes_field(4):
        term.namespace_selector = object_selector_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(5):
        term.match_label_keys.push_back(string_of(fields));
        break;
      case bytes_field(6):
        term.mismatch_label_keys.push_back(string_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  return term;
}

std::vector<PodAffinityTerm> terms_in(const JsonObject& affinity, std::string_view name) {
  std::vector<PodAffinityTerm> terms;
  if (const auto pods = affinity.object(name))
    pods->each(kRequired, [&](const JsonObject& term) { terms.push_back(term_from_json(term)); });
  return terms;
}

/// PodAffinity and PodAntiAffinity have the same fields.
std::vector<PodAffinityTerm> required_terms(std::string_view message) {
  std::vector<PodAffinityTerm> terms;
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == bytes_field(1))
      terms.push_back(term_from_protobuf(bytes_of(fields)));
    else
      fields.skip();
  }
  return terms;
}

std::optional<NodeSelector> required_nodes(std::string_view message) {
  std::optional<NodeSelector> required;
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == bytes_field(1))
      required = node_selector_from_protobuf(bytes_of(fields));
    else
      fields.skip();
  }
  return required;
}

}  // namespace

void read_affinity(Placement& placement, const JsonObject& affinity) {
  const auto nodes = affinity.object("nodeAffinity");
  if (const auto required = nodes ? nodes->object(kRequired) : std::nullopt)
    placement.node_affinity = node_selector_from_json(*required);
  placement.pod_affinity = terms_in(affinity, "podAffinity");
  placement.pod_anti_affinity = terms_in(affinity, "podAntiAffinity");
}

void read_affinity(Placement& placement, std::string_view message) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        placement.node_affinity = required_nodes(bytes_of(fields));
        break;
      case bytes_field(2):
        placement.pod_affinity = required_terms(bytes_of(fields));
        break;
      case bytes_field(3):
        placement.pod_anti_affinity = required_terms(bytes_of(fields));
        break;
      default:
        fields.skip();
    }
  }
}

TopologySpread spread_from_json(const JsonObject& constraint) {
  TopologySpread spread;
  spread.max_skew = constraint.number("maxSkew").value_or(spread.max_skew);
  spread.topology_key = constraint.text("topologyKey");
  spread.when_unsatisfiable = constraint.text("whenUnsatisfiable");
  spread.selector = object_selector_in(constraint, "labelSelector");
  spread.min_domains = constraint.number("minDomains");
  spread.node_affinity_policy = constraint.text("nodeAffinityPolicy");
  spread.node_taints_policy = constraint.text("nodeTaintsPolicy");
  spread.match_label_keys = constraint.texts("matchLabelKeys");
  return spread;
}

TopologySpread spread_from_protobuf(std::string_view message) {
  TopologySpread spread;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case varint_field(1):
        spread.max_skew = fields.get_int32();
        break;
      case bytes_field(2):
        spread.topology_key = string_of(fields);
        break;
      case bytes_field(3):
        spread.when_unsatisfiable = string_of(fields);
        break;
      case bytes_field(4):
        spread.selector = object_selector_from_protobuf(bytes_of(fields));
        break;
      case varint_field(5):
        spread.min_domains = fields.get_int32();
        break;
      case bytes_field(6):
        spread.node_affinity_policy = string_of(fields);
        break;
      case bytes_field(7):
        spread.node_taints_policy = string_of(fields);
        break;
      case bytes_field(8):
        spread.match_label_keys.push_back(string_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  return spread;
}

}  // namespace gpu::decode
