#include "kube/collect/named_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "decode/objects/workload_object.hpp"
#include "kube/collect/namespaces.hpp"
#include "kube/collect/owners.hpp"
#include "kube/collect/scheduling_facts.hpp"
#include "kube/http/advice.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::kube {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kNames =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

std::string resource_of(const WorkloadKind& kind) {
  return std::string(kind.plural) + (kind.group.empty() ? "" : "." + std::string(kind.group));
}

/// What a path could take for something else is no name of an object.
bool can_be_name(std::string_view name) {
  return !name.empty() && std::any_of(name.begin(), name.end(), [](char c) { return c != '.'; });
}

class NamedReader {
 public:
  NamedReader(CollectContext& reading, const NamedWorkload& wanted)
      : reading_(reading), wanted_(wanted) {}

  void run() {
    if (!can_be_name(wanted_.name) || !can_be_name(wanted_.ns)) refuse({});
    for (const std::string_view version : split(wanted_.kind->versions, ' '))
      if (is_settled(version)) return;
    throw Error(ErrorKind::usage,
                fmt::format("the API server has no {}, so there is no {}",
                            resource_of(*wanted_.kind), word_of(wanted_)),
                "see all pods that wait\n      kubectl gpu why-pending -A");
  }

 private:
  [[nodiscard]] std::string api_version(std::string_view version) const {
    const std::string_view group = wanted_.kind->group;
    return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
  }

  [[nodiscard]] std::string path_of_kind(std::string_view version, std::string_view ns) const {
    return fmt::format("{}{}{}/{}", wanted_.kind->group.empty() ? "/api/" : "/apis/",
                       api_version(version), ns.empty() ? "" : "/namespaces/" + percent_encoded(ns),
                       wanted_.kind->plural);
  }

  [[nodiscard]] ListBatch new_batch() const {
    return {reading_.client(), std::string(kJson),
            [this](std::size_t bytes) { reading_.count_bytes(bytes); }};
  }

  /// False when the API does not have this version of the kind.
  bool is_settled(std::string_view version) {
    ListBatch batch = new_batch();
    batch.add(path_of_kind(version, wanted_.ns) + "/" + percent_encoded(wanted_.name),
              ItemReader::of_objects(
                  std::string(wanted_.kind->kind),
                  [this, version](const nlohmann::json& object) { take(object, version); }));
    const Reply reply = batch.run().front();
    if (reply.ok()) return true;
    if (reply.error) throw error_of(reply, reading_.client().connection());
    if (reply.status == 404 && says_object_is_gone(reply, wanted_.name)) refuse(version);
    if (reply.status == 404) return false;
    const Error error = error_of(reply, reading_.client().connection());
    reading_.snapshot().gaps.push_back(
        {.what = fmt::format("{} itself cannot be read, so what it says of its pods is not checked",
                             word_of(wanted_)),
         .why = error.message(),
         .help = error.help(),
         .about = GapTopic::scheduling});
    return true;
  }

  void take(const nlohmann::json& object, std::string_view version) {
    const std::string api = api_version(version);
    reading_.tell(object, api, wanted_.kind->kind);
    try {
      reading_.snapshot().scheduling.workload_objects.push_back(
          decode::workload_object_from_json(object, api, wanted_.kind->kind));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      reading_.snapshot().gaps.push_back(
          unreadable_gap(resource_of(*wanted_.kind), error.message()));
    }
  }

  /// Names of the kind in a namespace, or the namespaces that have one of a name.
  [[nodiscard]] std::vector<std::string> metadata_of(std::string_view version, std::string_view ns,
                                                     const std::string& name,
                                                     const std::string& member) const {
    std::vector<std::string> found;
    ListBatch batch = new_batch();
    const std::string selector = name.empty() ? "" : "metadata.name=" + field_value(name);
    batch.add(list_path(path_of_kind(version, ns), {{"fieldSelector", selector}}),
              ItemReader::of_objects("PartialObjectMetadataList",
                                     [&](const nlohmann::json& object) {
                                       const nlohmann::json::json_pointer at("/metadata/" + member);
                                       if (object.contains(at) && object[at].is_string())
                                         found.push_back(object[at].get<std::string>());
                                     }),
              {.accept = std::string(kNames)});
    // Who may not list them gets an answer without them.
    static_cast<void>(batch.run());
    return found;
  }

  [[noreturn]] void refuse(std::string_view version) const {
    std::string help = "see all pods that wait\n      kubectl gpu why-pending -A";
    if (!version.empty()) {
      const std::string kind = lower_case(wanted_.kind->kind);
      const auto elsewhere = metadata_of(version, {}, wanted_.name, "namespace");
      const auto here = metadata_of(version, wanted_.ns, {}, "name");
      const std::vector<std::string_view> names(here.begin(), here.end());
      if (!elsewhere.empty())
        help = fmt::format("a {} of that name is in {}", kind, first_few(elsewhere, kMostNamed));
      else if (const auto nearest = nearest_name(wanted_.name, names))
        help = fmt::format("a similar one is `{}`", *nearest);
    }
    throw Error(ErrorKind::usage,
                fmt::format("there is no {} `{}` in namespace {}", lower_case(wanted_.kind->kind),
                            wanted_.name, wanted_.ns),
                help);
  }

  CollectContext& reading_;
  const NamedWorkload& wanted_;
};

}  // namespace

void read_named_workload(CollectContext& reading) {
  const std::vector<NamedWorkload>& all = reading.needs().workloads;
  for (const NamedWorkload& wanted : all) try {
      NamedReader(reading, wanted).run();
    } catch (const Error& error) {
      // One that does not exist is not to hide the others: what is known of it decides then.
      if (error.kind() != ErrorKind::usage || all.size() == 1) throw;
    }
}

std::string word_of(const NamedWorkload& workload) {
  return lower_case(workload.kind->kind) + "/" + workload.name;
}

}  // namespace gpu::kube
