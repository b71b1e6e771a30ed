#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "input/snapshot/amounts.hpp"
#include "input/snapshot/redact.hpp"
#include "input/snapshot/redact_known.hpp"
#include "model/snapshot/workload.hpp"

// What kinds that decide on scheduling hold beside what pods and nodes do.
namespace gpu::input {
namespace {

using nlohmann::json;

std::string text_in(const json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

/// Annotations whose values are one name or one word each: of volumes, and of what may be evicted.
std::optional<std::string> Redactor::typed_annotation(std::string_view key,
                                                      std::string_view value) {
  if (key == "volume.kubernetes.io/selected-node") return names_.of(Space::node, value);
  if (key == "volume.beta.kubernetes.io/storage-class")
    return names_.of(Space::storage_class, value);
  if (key == "pv.kubernetes.io/bind-completed") return "yes";
  if (key == "storageclass.kubernetes.io/is-default-class" ||
      key == "storageclass.beta.kubernetes.io/is-default-class" ||
      key == "cluster-autoscaler.kubernetes.io/safe-to-evict" ||
      key == "karpenter.sh/do-not-disrupt")
    return value == "true" ? "true" : "false";
  if (key != "storage.alpha.kubernetes.io/migrated-plugins") return std::nullopt;
  std::string shown;
  for (std::string_view left = value; !left.empty();) {
    const std::size_t end = std::min(left.find(','), left.size());
    if (const std::string_view plugin = left.substr(0, end); plugin.starts_with("kubernetes.io/"))
      shown.append(shown.empty() ? "" : ",").append(plugin);
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return shown;
}

/// A kind of somebody's own, which may be called as a known one is.
std::string Redactor::foreign_kind(std::string_view kind, std::string_view api_version) {
  const std::string_view group =
      api_version.substr(0, std::min(api_version.find('/'), api_version.size()));
  return names_.of(Space::kind, is_known(Space::kind, kind)
                                    ? std::string(group) + "/" + std::string(kind)
                                    : std::string(kind));
}

/// The object that an event is about.
json Redactor::reference(const json& value) {
  if (!value.is_object()) return json::object();
  const std::string kind = text_in(value, "kind");
  const std::string version = text_in(value, "apiVersion");
  const bool is_common = is_known_kind(kind, version);
  json shown = {{"kind", is_common ? kind : foreign_kind(kind, version)},
                {"name", object_name(is_common ? kind : "", text_in(value, "name"))}};
  if (is_common && !version.empty()) shown["apiVersion"] = version;
  if (value.contains("namespace"))
    shown["namespace"] = names_.of(Space::ns, text_in(value, "namespace"));
  if (value.contains("uid")) shown["uid"] = names_.of(Space::uid, text_in(value, "uid"));
  return shown;
}

/// "requests.nvidia.com/gpu", "limits.cpu", "pods", "fast.storageclass.storage.k8s.io/...".
std::string Redactor::quota_name(std::string_view name) {
  static constexpr std::string_view kOfClass = ".storageclass.storage.k8s.io/";
  if (const std::size_t at = name.find(kOfClass); at != std::string_view::npos) {
    const std::string_view rest = name.substr(at + kOfClass.size());
    return names_.of(Space::storage_class, name.substr(0, at)) + std::string(kOfClass) +
           (rest == "requests.storage" ? "requests.storage" : "persistentvolumeclaims");
  }
  for (const std::string_view start : {"requests.", "limits."})
    if (name.starts_with(start)) return std::string(start) + resource(name.substr(start.size()));
  return resource(name);
}

json Redactor::quotas(const json& value) {
  json result = json::object();
  for (const auto& [name, each] : value.items())
    if (json amount = harmless(each); !amount.is_null())
      result[quota_name(name)] = std::move(amount);
  return result;
}

json Redactor::flavors(const json& value) {
  json result = json::object();
  for (const auto& [name, flavor] : value.items())
    if (flavor.is_string())
      result[resource(name)] = names_.of(Space::flavor, flavor.get_ref<const std::string&>());
  return result;
}

}  // namespace gpu::input
