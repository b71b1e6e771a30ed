#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "decode/objects/pod_template.hpp"
#include "lint/rules/finding.hpp"
#include "manifest/read/mistake.hpp"

namespace gpu::lint {

using nlohmann::json;
using Pointer = json::json_pointer;

/// One object of a document: all checks read it and nothing else. Refers to the document.
struct ObjectSubject {
  const json& object;
  manifest::KindName name;
  Pointer at;  ///< in the document: the root, or an item of a List

  [[nodiscard]] Pointer in_document(const char* pointer) const { return at / Pointer(pointer); }
  /// Whether it is of that kind and API group, whatever its version.
  [[nodiscard]] bool is(std::string_view kind, std::string_view group) const;
  /// The value at "/spec/replicas"; null (the JSON one) where there is none.
  [[nodiscard]] const json& value(const char* pointer) const;
};

/// One template of pods in an object, or the Pod itself.
struct PodSubject {
  const ObjectSubject& owner;
  const decode::PodTemplate& made;
  const json& spec;  ///< of `made`
  Pointer spec_at;   ///< in the document

  [[nodiscard]] Pointer in_document(const char* pointer) const {
    return spec_at / Pointer(pointer);
  }
};

/// One container of a pod.
struct ContainerSubject {
  const PodSubject& pod;
  const json& container;
  Pointer at;  ///< in the document
  bool is_init = false;

  /// Its name, or "" where it has none.
  [[nodiscard]] std::string name() const;
  /// resources.limits or resources.requests; an empty object where there is none.
  [[nodiscard]] const json& amounts(const char* which) const;
  /// command and args, in this order; texts alone.
  [[nodiscard]] std::vector<std::string> words() const;
};

/// Calls `on_container` with each container, init containers first.
template <class OnContainer>
void for_each_container(const PodSubject& pod, OnContainer on_container) {
  for (const char* const list : {"initContainers", "containers"}) {
    const auto found = pod.spec.find(list);
    if (found == pod.spec.end() || !found->is_array()) continue;
    for (std::size_t i = 0; i < found->size(); ++i)
      if ((*found)[i].is_object())
        on_container(ContainerSubject{.pod = pod,
                                      .container = (*found)[i],
                                      .at = pod.spec_at / list / i,
                                      .is_init = std::string_view(list) == "initContainers"});
  }
}

/// The number of devices of that resource that the container gets: its limit, else its request.
/// Nothing where neither is a whole number above 0.
std::optional<std::int64_t> devices_of(const ContainerSubject& container,
                                       std::string_view resource);
/// The GPUs of all names that a container gets, shares and slices too.
std::int64_t gpus_of(const ContainerSubject& container);
/// Of all containers of a pod.
std::int64_t gpus_of(const PodSubject& pod);

/// The value at a pointer; null (the JSON one) where there is none.
const json& value_at(const json& object, const Pointer& pointer);
/// The text there; empty where there is none, and for what is no text.
std::string_view text_at(const json& object, const char* pointer);
/// A scalar as it is written in YAML: `8`, `true`, `abc`.
std::string written(const json& value);

}  // namespace gpu::lint
