#pragma once

#include <string_view>

#include "lint/rules/subject.hpp"
#include "manifest/read/mistake.hpp"

namespace gpu::lint {

/// Calls `on_object` with each object of a document; Lists count as what they hold. YAML of others,
/// as values of a chart or a compose file, and our own price lists are none.
template <class OnObject>
void each_object(const json& object, const Pointer& at, const manifest::KindName& usual,
                 const OnObject& on_object) {
  manifest::KindName name = usual;
  if (const std::string_view kind = text_at(object, "/kind"); !kind.empty()) name.kind = kind;
  if (const std::string_view version = text_at(object, "/apiVersion"); !version.empty())
    name.api_version = version;
  const json& items = value_at(object, Pointer("/items"));
  if (name.kind.ends_with("List") && items.is_array()) {
    manifest::KindName of_items;
    if (name.kind != "List")
      of_items = {name.kind.substr(0, name.kind.size() - std::string_view("List").size()),
                  name.api_version};
    for (std::size_t i = 0; i < items.size(); ++i)
      each_object(items[i], at / "items" / i, of_items, on_object);
    return;
  }
  const bool is_kubeconfig = name.kind == "Config" && name.api_version == "v1";
  const bool is_other =
      is_kubeconfig || (name.kind.empty() && !(object.is_object() && object.contains("metadata")));
  if (is_other || name.api_version.starts_with("kubectl-gpu/")) return;
  on_object(ObjectSubject{.object = object, .name = name, .at = at});
}

}  // namespace gpu::lint
