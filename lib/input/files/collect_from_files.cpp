#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "decode/kinds/kind_info.hpp"
#include "decode/objects/controller.hpp"
#include "decode/objects/device_class.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/resource_claim.hpp"
#include "decode/objects/resource_slice.hpp"
#include "decode/wire/json_item.hpp"
#include "decode/wire/list_framer.hpp"
#include "input/files/collect_from_files.hpp"
#include "input/files/file_metrics.hpp"
#include "input/files/input_bytes.hpp"
#include "input/files/input_files.hpp"
#include "input/files/named_in_files.hpp"
#include "input/files/queue_owners_in_files.hpp"
#include "input/files/refused_owners_in_files.hpp"
#include "input/files/unpacked.hpp"
#include "input/snapshot/envelope.hpp"
#include "kube/collect/missing_nodes.hpp"
#include "kube/collect/owners.hpp"
#include "kube/collect/refused_owners.hpp"
#include "kube/collect/scheduling_facts.hpp"
#include "kube/read/gpu_devices.hpp"
#include "model/snapshot/waiting_claims.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::input {
namespace {

/// Items of `kubectl get -o json` carry their kind; those of a raw NodeList leave it to the list.
/// Empty while neither has said it.
std::string kind_of(const nlohmann::json& object, std::string_view list_kind) {
  if (!object.is_object()) throw Error(ErrorKind::data, "an item is not an object");
  if (const auto at = object.find("kind"); at != object.end() && at->is_string())
    return at->get<std::string>();
  if (!list_kind.ends_with("List")) return {};
  return std::string(list_kind.substr(0, list_kind.size() - 4));
}

/// Of the object, of its list, or the usual one of its kind.
std::string api_version_of(const nlohmann::json& object, const decode::ListFramer& framer) {
  if (const auto at = object.find("apiVersion"); at != object.end() && at->is_string())
    return at->get<std::string>();
  const auto of_list = nlohmann::json::parse(framer.noted("apiVersion"), nullptr, false);
  return of_list.is_string() ? of_list.get<std::string>() : "v1";
}

/// Whether only the list can say it, and has not yet.
bool is_version_to_come(const nlohmann::json& object, const decode::ListFramer& framer) {
  return !object.contains("apiVersion") && framer.noted("apiVersion").empty();
}

/// Others have kinds that are named like Kubernetes' own: a Pod of evil.io/v1 is no Pod.
bool is_core(std::string_view api_version) { return decode::group_of(api_version).empty(); }

/// An object without all but its metadata, as API servers answer where that is asked for.
bool is_metadata(std::string_view kind, std::string_view api_version) {
  return kind == "PartialObjectMetadata" && decode::group_of(api_version) == "meta.k8s.io";
}

/// Namespace and name of an object, as far as they are texts.
std::pair<std::string, std::string> key_of(const nlohmann::json& object) {
  const auto text = [&](const char* pointer) {
    const nlohmann::json::json_pointer at(pointer);
    return object.contains(at) && object[at].is_string() ? object[at].get<std::string>()
                                                         : std::string();
  };
  return {text("/metadata/namespace"), text("/metadata/name")};
}

/// Items that wait for the kind of their list, which stands last once jq has sorted the keys.
class ItemsAwaitingKind {
 public:
  void hold(nlohmann::json object, std::size_t bytes) {
    constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
    bytes_ += bytes;
    if (bytes_ > kMostBytes)
      throw Error(ErrorKind::data, "the list's kind or apiVersion stands too far behind its items");
    objects_.push_back(std::move(object));
  }
  [[nodiscard]] const std::vector<nlohmann::json>& objects() const { return objects_; }

 private:
  std::vector<nlohmann::json> objects_;
  std::size_t bytes_ = 0;
};

/// Folds the objects of one or more files. The same object in two files counts once.
class FileReader {
 public:
  explicit FileReader(const kube::Needs& needs)
      : needs_(needs), fold_(snapshot_, needs.keep), metrics_(needs) {
    for (const kube::NamedWorkload& each : needs.workloads) named_.emplace_back(each, snapshot_);
    if (needs.waiting_pods) snapshot_.waiting.emplace();
  }

  /// What stands at `path`, which is called `name`.
  void read(const std::string& path, const std::string& name) {
    InputBytes in(path, [this] {
      if (needs_.on_progress) needs_.on_progress(progress_);
    });
    std::size_t items = 0;
    ItemsAwaitingKind kindless;
    // The framer is asked for its kind while it cuts: it must not move.
    std::optional<decode::ListFramer> framer;
    framer.emplace(decode::Wire::json, [&](std::string_view item) {
      ++items;
      nlohmann::json object = decode::json_item(item);
      const std::string kind = kind_of(object, framer->kind());
      if (kind.empty() || is_version_to_come(object, *framer))
        kindless.hold(std::move(object), item.size());
      else
        take(object, api_version_of(object, *framer), kind);
    });
    Unpacked unpacked([&](std::string_view bytes) { framer->feed(bytes); });
    try {
      for (std::string_view bytes = in.next(); !bytes.empty(); bytes = in.next()) {
        progress_.bytes += static_cast<std::int64_t>(bytes.size());
        if (needs_.on_progress) needs_.on_progress(progress_);
        unpacked.feed(bytes);
      }
      unpacked.finish();
      framer->finish();
      for (const nlohmann::json& object : kindless.objects()) {
        const std::string kind = kind_of(object, framer->kind());
        if (kind.empty()) throw Error(ErrorKind::data, "neither an item nor the list has a kind");
        take(object, api_version_of(object, *framer), kind);
      }
      if (is_snapshot(*framer)) {
        read_envelope(*framer, snapshot_);
        std::erase_if(snapshot_.gaps, [&](const Gap& gap) {
          return (gap.about == GapTopic::owners && !needs_.owners) ||
                 (gap.about == GapTopic::scheduling && needs_.kinds.empty()) ||
                 (gap.about == GapTopic::jobs && !needs_.kinds.contains(ObjectKind::job)) ||
                 (gap.about == GapTopic::use && !metrics_.are_wanted());
        });
        has_envelope_ = true;
      }
      if (items == 0) see_empty_list(*framer, name);
      if (framer->kind() == "PodList" && is_core(version_of(*framer))) saw_pods_ = true;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      const std::string where = items == 0 ? "" : " (at item " + std::to_string(items) + ")";
      throw Error(ErrorKind::data, name + where + ": " + error.message(), how_to_make_files());
    }
  }

  [[nodiscard]] FileMetrics& metrics() { return metrics_; }

  Snapshot finish(const std::string& path) {
    if (!has_envelope_) judge_sight(path);
    if (snapshot_.pod_coverage != Coverage::whole) snapshot_.waiting.reset();
    if (!needs_.only_namespace.empty())
      for (Coverage* const sight : {&snapshot_.pod_coverage, &snapshot_.claim_coverage})
        if (*sight == Coverage::whole) *sight = Coverage::partial;
    forget_other_kinds();
    decode::sort_facts(snapshot_.scheduling);
    fold_.finish();
    note_wanted_pods();
    // Of several, one that does not exist is not to hide the others.
    if (named_.size() == 1) named_.front().finish(path);
    queue_owners_.finish(snapshot_.scheduling);
    if (kube::wants_refused_owners(needs_)) refused_owners_.finish(snapshot_.scheduling);
    kube::keep_owners_of_pods(snapshot_);
    return std::move(snapshot_);
  }

 private:
  /// A snapshot says how much it saw of every kind; those that nobody needs were not kept.
  void forget_other_kinds() {
    SchedulingFacts& facts = snapshot_.scheduling;
    for (const decode::KindInfo& kind : decode::kinds())
      if (!needs_.kinds.contains(kind.id)) facts.coverages.erase(coverage_key(kind));
    if (needs_.devices == kube::DeviceObjects::of_gpus) facts.coverages.erase("deviceclasses");
  }

  /// A file of kubectl's does not say what it leaves out.
  void judge_sight(const std::string& path) {
    judge_nodes(path);
    judge_pods(path);
    for (Gap& gap : unreadable_) snapshot_.gaps.push_back(std::move(gap));
    judge_devices();
  }

  /// Who has no device object in a file that needs none was not asked for any. Slices that are not
  /// beside the classes may not have been asked for either: a driver that publishes none is not
  /// told from that. Claims that pods name and that are not there were not asked for.
  void judge_devices() {
    const bool waits_for_claims =
        std::any_of(snapshot_.pods.begin(), snapshot_.pods.end(), may_wait_for_claims);
    const bool may_need_none =
        !kube::lacks_devices_of_labelled_nodes(snapshot_) && !waits_for_claims;
    const bool saw_classes = !snapshot_.device_classes.empty();
    if (saw_slices_ || (may_need_none && !saw_classes)) snapshot_.slice_coverage = Coverage::whole;
    if (saw_claims_ || may_need_none || ((saw_slices_ || saw_classes) && !waits_for_claims))
      snapshot_.claim_coverage = Coverage::whole;
  }

  void judge_nodes(const std::string& path) {
    if (!snapshot_.nodes.empty() || saw_nodes_) {
      snapshot_.node_coverage = Coverage::whole;
      return;
    }
    const bool may_lack_nodes = needs_.may_lack_nodes || !needs_.only_namespace.empty();
    if (!saw_pods_ || !may_lack_nodes)
      throw Error(ErrorKind::data, path + " holds no nodes", how_to_make_files());
    snapshot_.gaps.push_back({"no nodes in " + path + ", so models and sharing of GPUs are unknown",
                              "only pods were found there", how_to_make_files()});
  }

  void judge_pods(const std::string& path) {
    snapshot_.pod_coverage = Coverage::whole;
    if (!saw_pods_) {
      snapshot_.pod_coverage = Coverage::none;
      snapshot_.gaps.push_back(
          {.what = "no pods in " + path + ", so what is allocated and free is unknown",
           .why = "only nodes were found there",
           .help = how_to_make_files(),
           .missing = Missing::pods_of_file});
    } else if (namespaces_.empty() && needs_.only_namespace.empty()) {
      // A list of none does not say whose it is: of a namespace, more likely than of a cluster.
      snapshot_.pod_coverage = Coverage::partial;
      snapshot_.gaps.push_back({.what = "no pod is in the list of pods in " + path +
                                        ", so more may be allocated than was seen",
                                .why = "a cluster has pods in kube-system; was -A left out?",
                                .help = how_to_make_files(),
                                .missing = Missing::pods_of_file});
    } else if (namespaces_.size() == 1 && !namespaces_.contains("kube-system") &&
               !namespaces_.contains(needs_.only_namespace)) {
      // Every cluster runs pods in kube-system: this is `kubectl get pods` without -A.
      snapshot_.pod_coverage = Coverage::partial;
      snapshot_.gaps.push_back({.what = "only pods of the namespace " + *namespaces_.begin() +
                                        " are in " + path +
                                        ", so more may be allocated than was seen",
                                .why = "a cluster has pods in kube-system too; was -A left out?",
                                .help = how_to_make_files(),
                                .missing = Missing::pods_of_file});
    }
  }

  void take(const nlohmann::json& object, const std::string& api_version, std::string_view kind) {
    if (needs_.on_object && kind == telemetry::kScrapeKind)
      needs_.on_object(object, api_version, kind);  // its name is for people, others have it too
    else if (needs_.on_object)
      tell(object, api_version, kind);
    for (NamedInFiles& each : named_) each.take(object, api_version, kind);
    if (needs_.kinds.contains(ObjectKind::workload)) queue_owners_.take(object, api_version, kind);
    if (kube::wants_refused_owners(needs_)) refused_owners_.take(object, api_version, kind);
    if (kind == "Node" && is_core(api_version)) {
      ++progress_.nodes;
      Node node = decode::node_from_json(object);
      if (is_new(kind, {}, node.name)) fold_.add(std::move(node));
    } else if (kind == "Pod" && is_core(api_version)) {
      take_pod(decode::pod_from_json(object));
    } else if (const decode::KindInfo* const info = decode::find_kind(kind, api_version);
               info != nullptr && decode::is_wanted(*info, needs_.kinds)) {
      take_fact(object, *info);
      if (workload_kind(kind, api_version) != nullptr) take_controller(object, api_version, kind);
    } else if (api_version.starts_with("resource.k8s.io/")) {
      take_device_object(object, kind);
    } else if (kind == telemetry::kScrapeKind && api_version == telemetry::kScrapeVersion) {
      metrics_.add_scrape(object);
    } else if (is_metadata(kind, api_version) || workload_kind(kind, api_version) != nullptr) {
      take_controller(object, api_version, kind);
    }
  }

  void take_controller(const nlohmann::json& object, std::string_view api_version,
                       std::string_view kind) {
    decode::ControlledObject read = decode::controlled_object_from_json(object);
    if (const auto wanted = decode::wanted_pods_of(object, kind, api_version))
      wanted_[read.uid] = *wanted;
    if (needs_.owners) snapshot_.controllers[read.uid] = std::move(read.controller);
  }

  void note_wanted_pods() {
    for (auto& [uid, pods] : snapshot_.controlled)
      if (const auto known = wanted_.find(uid); known != wanted_.end()) pods.wanted = known->second;
  }

  void take_fact(const nlohmann::json& object, const decode::KindInfo& kind) {
    if (const auto [ns, name] = key_of(object); !is_new(resource_of(kind), ns, name)) return;
    try {
      kind.storage.take(object, snapshot_.scheduling);
      see(coverage_key(kind));
    } catch (const Error& error) {
      Coverage& sight = snapshot_.scheduling.coverages[coverage_key(kind)];
      if (std::exchange(sight, Coverage::partial) != Coverage::partial)
        unreadable_.push_back(kube::unreadable_gap(resource_of(kind), error.message()));
    }
  }

  /// A file of kubectl's does not say which kinds it was asked for: those that it holds.
  void see(const std::string& key) {
    snapshot_.scheduling.coverages.try_emplace(key, Coverage::whole);
  }

  /// A list of none says that there are none: of a kind that it names, or, as kubectl writes every
  /// list, that its file is called after (resourceslices.json).
  void see_empty_list(const decode::ListFramer& framer, const std::string& name) {
    const std::string& kind = framer.kind();
    if (!kind.ends_with("List")) return;
    std::string stem = lower_case(std::filesystem::path(name).stem().string());
    std::erase_if(stem, [](char each) { return each == '-' || each == '_'; });
    const bool is_untyped = kind == "List";  // as kubectl writes every list
    const std::string version = version_of(framer);
    const std::string of_items = kind.substr(0, kind.size() - 4);
    const bool is_of_core = is_untyped || is_core(version);
    const bool is_of_dra = is_untyped || version.starts_with("resource.k8s.io/");
    const auto is_list_of = [&](std::string_view item, std::string_view plural) {
      return is_untyped ? stem == plural : of_items == item;
    };
    if (is_of_core && is_list_of("Pod", "pods")) saw_pods_ = true;
    if (is_of_core && is_list_of("Node", "nodes")) saw_nodes_ = true;
    if (is_of_dra && is_list_of("ResourceSlice", "resourceslices")) saw_slices_ = true;
    if (is_of_dra && is_list_of("ResourceClaim", "resourceclaims")) saw_claims_ = true;
    if (is_of_dra && is_list_of("DeviceClass", "deviceclasses")) see("deviceclasses");
    const decode::KindInfo* const typed = decode::find_kind(of_items, version);
    for (const decode::KindInfo& each : decode::kinds()) {
      const bool is_named = is_untyped ? stem == each.plural : &each == typed;
      if (is_named && needs_.kinds.contains(each.id)) see(coverage_key(each));
    }
  }

  /// Others have kinds of that name, too; a file of ours that is damaged may have lost its version.
  static bool is_snapshot(const decode::ListFramer& framer) {
    const std::string version = version_of(framer);
    const std::string_view group = decode::group_of(version);
    return framer.kind() == kSnapshotKind && (group.empty() || group == "kubectl-gpu");
  }

  /// Of the list.
  static std::string version_of(const decode::ListFramer& framer) {
    const auto version = nlohmann::json::parse(framer.noted("apiVersion"), nullptr, false);
    return version.is_string() ? version.get<std::string>() : std::string();
  }

  void take_pod(const Pod& pod) {
    ++progress_.pods;
    saw_pods_ = true;
    namespaces_.insert(pod.ns);
    metrics_.add_pod(pod);
    if (!is_asked_for(pod.ns) || !is_new("Pod", pod.ns, pod.name)) return;
    fold_.add(pod);
    if (needs_.owners) snapshot_.controllers[pod.uid] = decode::controller_of(pod.owners);
  }

  void take_device_object(const nlohmann::json& object, std::string_view kind) {
    if (kind == "ResourceSlice") {
      ResourceSlice slice = decode::resource_slice_from_json(object);
      if (is_new(kind, {}, slice.name)) add_slice(snapshot_, std::move(slice), needs_.devices);
      saw_slices_ = true;
    } else if (kind == "ResourceClaim") {
      ResourceClaim claim = decode::resource_claim_from_json(object);
      if (is_asked_for(claim.ns) && is_new(kind, claim.ns, claim.name))
        add_claim(snapshot_, std::move(claim), needs_.devices);
      saw_claims_ = true;
    } else if (kind == "DeviceClass") {
      DeviceClass device_class = decode::device_class_from_json(object);
      if (is_new(kind, {}, device_class.name))
        snapshot_.device_classes.push_back(std::move(device_class));
      see("deviceclasses");
    }
  }

  [[nodiscard]] bool is_asked_for(const std::string& ns) const {
    return needs_.only_namespace.empty() || ns == needs_.only_namespace;
  }

  bool is_new(std::string_view kind, const std::string& ns, const std::string& name) {
    if (name.empty())
      throw Error(ErrorKind::data, std::string(kind) + ": metadata.name: expected a name");
    return seen_.insert(std::string(kind) + "/" + ns + "/" + name).second;
  }

  void tell(const nlohmann::json& object, const std::string& api_version, std::string_view kind) {
    const auto [ns, name] = key_of(object);
    const decode::KindInfo* const info = decode::find_kind(kind, api_version);
    const std::string what =
        info == nullptr ? std::string(kind).append(".").append(decode::group_of(api_version))
                        : resource_of(*info);
    const nlohmann::json key = {what, ns, name};
    if (told_.insert(key.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)).second)
      needs_.on_object(object, api_version, kind);
  }

  const kube::Needs& needs_;
  kube::Progress progress_;
  Snapshot snapshot_;
  Fold fold_;
  FileMetrics metrics_;
  std::vector<NamedInFiles> named_;
  QueueOwnersInFiles queue_owners_;
  RefusedOwnersInFiles refused_owners_;
  std::set<std::string> seen_;
  std::set<std::string> namespaces_;            ///< of the pods
  std::map<std::string, std::int64_t> wanted_;  ///< pods, of controllers by uid
  std::set<std::string> told_;                  ///< what on_object has heard of
  std::vector<Gap> unreadable_;                 ///< a snapshot has such gaps itself
  bool saw_pods_ = false;
  bool saw_nodes_ = false;  ///< a list of none
  bool saw_slices_ = false;
  bool saw_claims_ = false;
  bool has_envelope_ = false;  ///< a snapshot of ours was among the files
};

std::set<std::string, std::less<>> node_names(const Snapshot& snapshot) {
  std::set<std::string, std::less<>> names;
  for (const Node& node : snapshot.nodes) names.insert(node.name);
  return names;
}

void choose_nodes(Snapshot& snapshot, const kube::Needs& needs) {
  const LabelSelector selector = LabelSelector::parse(needs.node_selector);
  std::vector<Node> chosen;
  std::copy_if(snapshot.nodes.begin(), snapshot.nodes.end(), std::back_inserter(chosen),
               [&](const Node& node) { return selector.matches(node.labels); });
  const auto missing = kube::missing_names(chosen, needs.node_names);
  if (snapshot.node_coverage != Coverage::none && !missing.empty())
    throw kube::missing_node_error(missing.front(), snapshot.nodes, needs.node_selector);
  kube::keep_only(chosen, needs.node_names);
  snapshot.nodes = std::move(chosen);
}

}  // namespace

Snapshot collect_from_files(const std::string& path, const kube::Needs& needs) {
  FileReader reader(needs);
  if (path == "-") {
    reader.read(path, "standard input");
  } else {
    const InputFiles files = input_files_at(path);
    for (const std::filesystem::path& file : files.objects)
      reader.read(file.string(), file.string());
    for (const std::filesystem::path& file : files.texts) reader.metrics().add_text(file.string());
  }
  Snapshot snapshot = reader.finish(path == "-" ? "standard input" : path);
  if (!snapshot.taken_at && path != "-") snapshot.taken_at = time_in_folder(path);
  const auto all_nodes = node_names(snapshot);
  choose_nodes(snapshot, needs);
  reader.metrics().finish(snapshot, all_nodes, snapshot.taken_at);
  return snapshot;
}

}  // namespace gpu::input
