#include "decode/objects/controller.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

using Pointer = nlohmann::json::json_pointer;

/// What is no whole number is passed over: only some kinds mean one by that name.
std::optional<std::int64_t> number_at(const nlohmann::json& object, const char* path) {
  const Pointer at(path);
  if (!object.contains(at) || !object[at].is_number_integer()) return std::nullopt;
  return object[at].get<std::int64_t>();
}

bool is_ended(const nlohmann::json& condition) {
  if (!condition.is_object()) return false;
  const auto text = [&](const char* name) {
    const auto found = condition.find(name);
    return found != condition.end() && found->is_string() ? found->get<std::string>() : "";
  };
  const std::string type = text("type");
  return text("status") == "True" &&
         (type == "Complete" || type == "Failed" || type == "Succeeded");
}

bool has_ended(const nlohmann::json& object) {
  const Pointer at("/status/conditions");
  return object.contains(at) && object[at].is_array() &&
         std::any_of(object[at].begin(), object[at].end(), is_ended);
}

/// As the Job controller counts: no more at once than are left to complete.
std::optional<std::int64_t> wanted_of_job(const nlohmann::json& object) {
  const Pointer suspend("/spec/suspend");
  if (object.contains(suspend) && object[suspend] == true) return 0;
  const std::int64_t at_once = number_at(object, "/spec/parallelism").value_or(1);
  const auto completions = number_at(object, "/spec/completions");
  if (!completions) return at_once;
  const std::int64_t succeeded = number_at(object, "/status/succeeded").value_or(0);
  return std::max<std::int64_t>(0, std::min(at_once, *completions - succeeded));
}

}  // namespace

std::optional<std::int64_t> wanted_pods_of(const nlohmann::json& object, std::string_view kind,
                                           std::string_view api_version) {
  if (has_ended(object)) return 0;
  const bool is_own = api_version == "v1" || api_version.starts_with("apps/");
  if (is_own && (kind == "ReplicaSet" || kind == "StatefulSet" || kind == "ReplicationController"))
    return number_at(object, "/spec/replicas");
  if (kind == "Job" && api_version.starts_with("batch/") && object.contains("spec"))
    return wanted_of_job(object);
  return std::nullopt;
}

ControlledObject controlled_object_from_json(const nlohmann::json& object) {
  Metadata metadata;
  naming_object("object", metadata.ns, metadata.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata"))
      metadata = metadata_from_json(*read, Annotations::none);
  });
  return {metadata.uid, controller_of(metadata.owners)};
}

}  // namespace gpu::decode
