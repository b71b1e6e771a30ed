#include "input/files/named_in_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "decode/objects/workload_object.hpp"
#include "kube/collect/scheduling_facts.hpp"

namespace gpu::input {
namespace {

std::string text_at(const nlohmann::json& object, const char* pointer) {
  const nlohmann::json::json_pointer at(pointer);
  return object.contains(at) && object[at].is_string() ? object[at].get<std::string>()
                                                       : std::string();
}

}  // namespace

void NamedInFiles::take(const nlohmann::json& object, std::string_view api_version,
                        std::string_view kind) {
  // Owners of pods stand in a snapshot with their metadata alone.
  if (workload_kind(kind, api_version) != wanted_.kind || !object.contains("spec")) return;
  const std::string ns = text_at(object, "/metadata/namespace");
  const std::string name = text_at(object, "/metadata/name");
  const bool is_here = wanted_.ns.empty() || ns == wanted_.ns;
  if (name == wanted_.name && !is_here) namespaces_.insert(ns);
  if (is_here) names_.insert(name);
  if (name != wanted_.name || !is_here) return;
  auto& objects = snapshot_.scheduling.workload_objects;
  if (std::any_of(objects.begin(), objects.end(), [&](const WorkloadObject& each) {
        return each.ns == ns && each.name == name && each.kind == wanted_.kind->kind;
      }))
    return;
  try {
    objects.push_back(decode::workload_object_from_json(object, api_version, wanted_.kind->kind));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    snapshot_.gaps.push_back(
        kube::unreadable_gap(std::string(wanted_.kind->plural), error.message()));
  }
}

bool NamedInFiles::is_known() const {
  if (names_.contains(wanted_.name)) return true;
  return std::any_of(snapshot_.pods.begin(), snapshot_.pods.end(), [&](const Pod& pod) {
    return std::any_of(pod.owners.begin(), pod.owners.end(), [&](const OwnerReference& owner) {
      return workload_kind(owner.kind, owner.api_version) == wanted_.kind &&
             owner.name == wanted_.name;
    });
  });
}

void NamedInFiles::finish(const std::string& path) {
  if ((names_.empty() && namespaces_.empty()) || is_known()) return;
  const std::string kind = lower_case(wanted_.kind->kind);
  const std::vector<std::string_view> names(names_.begin(), names_.end());
  std::string help = "see all pods that wait\n      kubectl gpu why-pending -A";
  if (!namespaces_.empty())
    help = fmt::format("a {} of that name is in {}", kind, fmt::join(namespaces_, ", "));
  else if (const auto nearest = nearest_name(wanted_.name, names))
    help = fmt::format("a similar one is `{}`", *nearest);
  throw Error(ErrorKind::usage,
              fmt::format("there is no {} `{}`{} in {}", kind, wanted_.name,
                          wanted_.ns.empty() ? "" : " of namespace " + wanted_.ns, path),
              help);
}

}  // namespace gpu::input
