#include "input/files/refused_owners_in_files.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"
#include "kube/collect/refused_owners.hpp"

namespace gpu::input {
void RefusedOwnersInFiles::take(const nlohmann::json& object, std::string_view api_version,
                                std::string_view kind) {
  const WorkloadKind* const known = kube::kind_refused({.kind = std::string(kind)});
  // Owners of pods stand in a snapshot with their metadata alone.
  if (known == nullptr || known != workload_kind(kind, api_version) || !object.contains("spec"))
    return;
  kinds_.insert(std::string(kind));
  try {
    const decode::JsonObject root(object, decode::Path{});
    const auto read = root.object("metadata");
    if (!read) return;
    const decode::Metadata metadata = decode::metadata_from_json(*read, decode::Annotations::none);
    RefusedOwner owner{.ns = metadata.ns, .kind = std::string(kind), .name = metadata.name};
    kube::take_refused_owner(owner, object, api_version);
    found_.insert_or_assign({metadata.ns, owner.kind, metadata.name}, std::move(owner));
  } catch (const Error& error) {
    // What it wants is then not known.
    if (error.kind() != ErrorKind::data) throw;
  }
}

void RefusedOwnersInFiles::finish(SchedulingFacts& facts) {
  const bool was_asked = coverage_of(facts, kube::kRefusedOwners) == Coverage::whole;
  for (const Event* event : kube::newest_refusals(facts)) {
    if (kube::kind_refused(*event) == nullptr) continue;
    const auto found = found_.find({event->ns, event->kind, event->object});
    RefusedOwner owner = kube::refused_owner_of(*event);
    if (found == found_.end()) {
      // `kubectl get` lists all of a kind, and no file says what it leaves out.
      if (!was_asked && !kinds_.contains(event->kind)) continue;
      owner.is_gone = true;
    } else if (!owner.uid.empty() && !found->second.uid.empty() && owner.uid != found->second.uid) {
      owner.is_gone = true;
    } else {
      owner = found->second;
    }
    facts.refused_owners.push_back(std::move(owner));
  }
}

}  // namespace gpu::input
