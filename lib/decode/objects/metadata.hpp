#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "decode/wire/json_fields.hpp"
#include "decode/wire/protobuf.hpp"
#include "model/objects/pod.hpp"

namespace gpu::decode {

/// What we keep of meta/v1 ObjectMeta. managedFields and the last-applied annotation are skipped.
struct Metadata {
  std::string name;
  std::string ns;
  std::string uid;
  StringMap labels;
  StringMap annotations;
  std::optional<Time> created;
  std::optional<Time> deleted;
  std::vector<OwnerReference> owners;
};

/// Which annotations, which can be big, are read: those that say what devices a pod got, or all.
enum class Annotations { all, of_devices, none };

/// The metadata of a protobuf message or JSON object. Throws Error{data}.
Metadata metadata_from_protobuf(std::string_view message, Annotations annotations);
Metadata metadata_from_json(const JsonObject& object, Annotations annotations);

/// The entry of `owners` that is the controller, if there is one.
std::optional<OwnerReference> controller_of(const std::vector<OwnerReference>& owners);

/// One entry of a `conditions` list, of a node or a pod: both have the same fields for it.
Condition condition_from_protobuf(std::string_view message);
Condition condition_from_json(const JsonObject& object);

/// Runs `read`; what it throws becomes Error{data} that names the object, as far as it is known by
/// then: "Pod team-a/web-0: spec.containers[2].resources.requests: ...".
template <class Read>
void naming_object(std::string_view kind, const std::string& ns, const std::string& name,
                   Read read) {
  const auto named = [&](const std::string& problem) {
    std::string text{kind};
    if (!name.empty()) text += " " + (ns.empty() ? name : ns + "/" + name);
    return Error(ErrorKind::data, text + ": " + problem);
  };
  try {
    read();
  } catch (const Error& error) {
    throw named(error.message());
  } catch (const protozero::exception& error) {
    throw named(std::string("broken protobuf: ") + error.what());
  }
}

}  // namespace gpu::decode
