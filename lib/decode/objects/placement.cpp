#include "decode/objects/placement.hpp"

#include <optional>
#include <vector>

#include "decode/objects/selector.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

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

std::vector<PreferredPods> preferred_in(const JsonObject& affinity, std::string_view name) {
  std::vector<PreferredPods> preferred;
  if (const auto pods = affinity.object(name))
    pods->each(kPreferred, [&](const JsonObject& each) {
      PreferredPods made{.weight = each.number("weight").value_or(0)};
      if (const auto term = each.object("podAffinityTerm")) made.term = term_from_json(*term);
      preferred.push_back(std::move(made));
    });
  return preferred;
}

PreferredPods preferred_from_protobuf(std::string_view message) {
  PreferredPods made;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case varint_field(1):
        made.weight = fields.get_int32();
        break;
      case bytes_field(2):
        made.term = term_from_protobuf(bytes_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  return made;
}

std::vector<PodAffinityTerm> terms_in(const JsonObject& affinity, std::string_view name) {
  std::vector<PodAffinityTerm> terms;
  if (const auto pods = affinity.object(name))
    pods->each(kRequired, [&](const JsonObject& term) { terms.push_back(term_from_json(term)); });
  return terms;
}

/// PodAffinity and PodAntiAffinity have the same fields.
void read_pods(std::string_view message, std::vector<PodAffinityTerm>& required,
               std::vector<PreferredPods>& preferred) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        required.push_back(term_from_protobuf(bytes_of(fields)));
        break;
      case bytes_field(2):
        preferred.push_back(preferred_from_protobuf(bytes_of(fields)));
        break;
      default:
        fields.skip();
    }
  }
}

PreferredNodes preferred_nodes_from_protobuf(std::string_view message) {
  PreferredNodes made;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case varint_field(1):
        made.weight = fields.get_int32();
        break;
      case bytes_field(2):
        made.term = node_term_from_protobuf(bytes_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  return made;
}

void read_nodes(std::string_view message, Placement& placement) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        placement.node_affinity = node_selector_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(2):
        placement.preferred_nodes.push_back(preferred_nodes_from_protobuf(bytes_of(fields)));
        break;
      default:
        fields.skip();
    }
  }
}

void read_nodes(const JsonObject& affinity, Placement& placement) {
  if (const auto required = affinity.object(kRequired))
    placement.node_affinity = node_selector_from_json(*required);
  affinity.each(kPreferred, [&](const JsonObject& each) {
    PreferredNodes made{.weight = each.number("weight").value_or(0)};
    if (const auto term = each.object("preference")) made.term = node_term_from_json(*term);
    placement.preferred_nodes.push_back(std::move(made));
  });
}

}  // namespace

void read_affinity(Placement& placement, const JsonObject& affinity) {
  if (const auto nodes = affinity.object("nodeAffinity")) read_nodes(*nodes, placement);
  placement.pod_affinity = terms_in(affinity, "podAffinity");
  placement.pod_anti_affinity = terms_in(affinity, "podAntiAffinity");
  placement.preferred_pods = preferred_in(affinity, "podAffinity");
  placement.preferred_pods_avoided = preferred_in(affinity, "podAntiAffinity");
}

void read_affinity(Placement& placement, std::string_view message) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        read_nodes(bytes_of(fields), placement);
        break;
      case bytes_field(2):
        read_pods(bytes_of(fields), placement.pod_affinity, placement.preferred_pods);
        break;
      case bytes_field(3):
        read_pods(bytes_of(fields), placement.pod_anti_affinity, placement.preferred_pods_avoided);
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
