#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "decode/kinds/field.hpp"
#include "model/objects/object_kind.hpp"
#include "model/objects/scheduling_facts.hpp"

namespace gpu::decode {

/// When objects of a kind that a command wants can matter to its answer.
enum class When {
  always,
  volumes,      ///< a waiting pod has volumes that matter for its place
  claims,       ///< a waiting pod has claims for devices
  events,       ///< those of the namespaces of waiting pods
  kube_system,  ///< those of kube-system
  owners,       ///< those of the namespace that is asked about; of all without one
  kueue,        ///< Kueue's own configuration
  kai,          ///< KAI or Run:ai is to schedule a waiting pod
  planned,      ///< those of the namespaces of planned pods
};

/// How much of each object is asked for.
enum class Part { whole, metadata };

enum class Scope { cluster, namespaced };

/// How objects of a kind get into SchedulingFacts.
struct KindStorage {
  /// Appends one, as an API server or kubectl writes it. Throws Error{data} that names the object
  /// and the field.
  void (*take)(const nlohmann::json& object, SchedulingFacts& facts);
  void (*sort)(SchedulingFacts& facts);  ///< all of them, as SchedulingFacts promises
};

/// All that is known of a kind: one row of a table.
struct KindInfo {
  ObjectKind id;
  std::string_view kind;      ///< "CSINode"
  std::string_view group;     ///< empty: core
  std::string_view versions;  ///< tried in turn, separated by blanks
  std::string_view plural;    ///< "csinodes"
  Scope scope;
  When when;
  KindStorage storage;
  Field (*fields)();  ///< what a snapshot keeps of it; null: nothing
  /// Where it is read, if not under its group: discovery is no resource.
  std::string_view path = {};
  Part part = Part::whole;
  std::string_view name = {};  ///< of the only object that is read
  /// In SchedulingFacts::coverages, where that is not its plural.
  std::string_view coverage = {};
};

/// The table.
std::span<const KindInfo> kinds();

const KindInfo& info_of(ObjectKind kind);

/// The API group of "batch/v1"; empty for core's.
std::string_view group_of(std::string_view api_version);

/// Null for a kind that is not in the table. Events of both their APIs are one kind.
const KindInfo* find_kind(std::string_view kind, std::string_view api_version);

/// Whether a command that wants these kinds wants objects of `kind`: ConfigMaps are Kueue's, or of
/// a device plugin.
bool is_wanted(const KindInfo& kind, ObjectKinds wanted);

/// What SchedulingFacts::coverages calls it.
std::string coverage_key(const KindInfo& kind);

/// "persistentvolumes", "storageclasses.storage.k8s.io".
std::string resource_of(const KindInfo& kind);

/// Whether an object was of a kind of the table.
enum class Taken { no, yes };

/// KindStorage::take by an object's own apiVersion and kind.
Taken take_object(const nlohmann::json& object, SchedulingFacts& facts);

/// Sorts every kind of `facts` as it promises.
void sort_facts(SchedulingFacts& facts);

}  // namespace gpu::decode
