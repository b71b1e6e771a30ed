#pragma once

#include <initializer_list>
#include <string_view>

#include "decode/kinds/field.hpp"

// How whitelists of kinds are put together, and the parts that several kinds have.
namespace gpu::decode {

/// `members` is one or more names with `|` between them, each a path with dots.
struct Line {
  std::string_view members;
  Meaning meaning;
};
using Lines = std::initializer_list<Line>;

/// The field at `path`, made where there is none.
Field& at(Field& root, std::string_view path);
void add(Field& root, Lines lines);

/// An entry of `conditions`.
void add_conditions(Field& field);
/// `metadata` of any object.
void add_metadata(Field& root);
/// A NodeSelector of core/v1, and a LabelSelector of meta/v1.
void add_node_selector(Field& selector);
void add_label_selector(Field& selector);
/// `spec` of a pod, or of a template for pods.
void add_pod_spec(Field& spec);
/// An entry of `status.containerStatuses`.
void add_container_status(Field& status);
/// `spec.devices` of a ResourceClaim, or of a template for claims.
void add_claim_spec(Field& devices);

}  // namespace gpu::decode
