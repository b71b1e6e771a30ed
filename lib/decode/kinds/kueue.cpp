#include "decode/kinds/kueue.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/selector.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/json_fields.hpp"
#include "decode/wire/yaml.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::decode {
namespace {

std::vector<Condition> conditions_in(const JsonObject& root) {
  std::vector<Condition> conditions;
  if (const auto status = root.object("status"))
    status->each("conditions", [&](const JsonObject& condition) {
      conditions.push_back(condition_from_json(condition));
    });
  return conditions;
}

void read_spec(QueuedWorkload& workload, const nlohmann::json& object, const JsonObject& spec) {
  workload.queue = spec.text("queueName");
  workload.is_active = !spec.has("active") || spec.flag("active");
  workload.priority = spec.number("priority");
  std::size_t number = 0;
  spec.each("podSets", [&](const JsonObject& set) {
    PodSet& made = workload.pod_sets.emplace_back();
    made.name = set.text("name");
    made.count = set.long_number("count").value_or(0);
    // Kueue writes the limits and overheads that count into the template itself.
    if (set.has("template")) {
      const Pod pod = pod_from_json(object.at("spec").at("podSets")[number].at("template"));
      made.requests = effective_requests(pod);
      made.node_selector = pod.node_selector;
      made.node_affinity = pod.placement.node_affinity;
      made.tolerations = pod.tolerations;
    }
    ++number;
  });
}

std::vector<FlavorQuota> quotas_in(const JsonObject& spec) {
  std::vector<FlavorQuota> quotas;
  spec.each("resourceGroups", [&](const JsonObject& group) {
    group.each("flavors", [&](const JsonObject& flavor) {
      const std::string name = flavor.text("name");
      flavor.each("resources", [&](const JsonObject& resource) {
        FlavorQuota& quota = quotas.emplace_back();
        quota.flavor = name;
        quota.resource = resource.text("name");
        quota.nominal = resource.quantity("nominalQuota").value_or(Quantity{});
        quota.borrowing_limit = resource.quantity("borrowingLimit");
        quota.lending_limit = resource.quantity("lendingLimit");
      });
    });
  });
  return quotas;
}

/// By both of the ways to write them.
std::vector<std::string> checks_in(const JsonObject& spec) {
  std::vector<std::string> names = spec.texts("admissionChecks");
  if (const auto strategy = spec.object("admissionChecksStrategy"))
    strategy->each("admissionChecks",
                   [&](const JsonObject& check) { names.push_back(check.text("name")); });
  return names;
}

std::vector<FlavorUse> uses_in(const JsonObject& status, std::string_view member) {
  std::vector<FlavorUse> uses;
  status.each(member, [&](const JsonObject& flavor) {
    const std::string name = flavor.text("name");
    flavor.each("resources", [&](const JsonObject& resource) {
      uses.push_back({.flavor = name,
                      .resource = resource.text("name"),
                      .total = resource.quantity("total").value_or(Quantity{}),
                      .borrowed = resource.quantity("borrowed").value_or(Quantity{})});
    });
  });
  return uses;
}

QueueStatus queue_status_in(const JsonObject& root) {
  QueueStatus read;
  const auto status = root.object("status");
  if (!status) return read;
  read.reserved = uses_in(*status, "flavorsReservation");
  // LocalQueues of v1beta1 call it flavorUsage.
  read.admitted = uses_in(*status, status->has("flavorUsage") ? "flavorUsage" : "flavorsUsage");
  read.pending = status->long_number("pendingWorkloads");
  read.reserving = status->long_number("reservingWorkloads");
  read.running = status->long_number("admittedWorkloads");
  return read;
}

void note_reserved(ClusterQueue& queue) {
  for (const FlavorUse& use : queue.status.reserved)
    for (FlavorQuota& quota : queue.quotas)
      if (quota.flavor == use.flavor && quota.resource == use.resource) quota.reserved = use.total;
}

/// By set of pods: how many of them will not be needed again.
std::map<std::string, std::int64_t> reclaimable_in(const JsonObject& status) {
  std::map<std::string, std::int64_t> counts;
  status.each("reclaimablePods", [&](const JsonObject& each) {
    counts[each.text("name")] = each.long_number("count").value_or(0);
  });
  return counts;
}

/// What is left where `gone` of `count` pods alike need theirs no more.
Quantity left_of(Quantity all, std::int64_t count, std::int64_t gone) {
  if (gone <= 0 || count <= 0) return all;
  return Quantity::of_milli(
      capped_product(all.milli_value() / count, std::max<std::int64_t>(0, count - gone)));
}

std::vector<HeldQuota> held_in(const JsonObject& status, const JsonObject& admission) {
  std::vector<HeldQuota> held;
  const auto reclaimable = reclaimable_in(status);
  admission.each("podSetAssignments", [&](const JsonObject& set) {
    const auto gone = reclaimable.find(set.text("name"));
    const StringMap flavors = set.strings("flavors");
    const std::int64_t count = set.long_number("count").value_or(0);
    for (const auto& [resource, amount] : set.resources("resourceUsage"))
      if (const std::string* const flavor = flavors.find(resource))
        held.push_back(
            {.flavor = *flavor,
             .resource = resource,
             .amount = left_of(amount, count, gone == reclaimable.end() ? 0 : gone->second)});
  });
  return held;
}

/// As Kueue fills it in (apis/config, defaults.go).
ObjectSelector default_namespaces(const JsonObject& settings) {
  const std::string own = settings.text("namespace");
  return {.labels = {},
          .expressions = {{.key = "kubernetes.io/metadata.name",
                           .op = "NotIn",
                           .values = {"kube-system", own.empty() ? "kueue-system" : own}}}};
}

}  // namespace

QueuedWorkload queued_workload_from_json(const nlohmann::json& object) {
  QueuedWorkload workload;
  naming_object("Workload", workload.ns, workload.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata")) {
      Metadata metadata = metadata_from_json(*read, Annotations::none);
      workload.ns = std::move(metadata.ns);
      workload.name = std::move(metadata.name);
      workload.uid = std::move(metadata.uid);
      workload.created = metadata.created;
      workload.owners = std::move(metadata.owners);
    }
    if (const auto spec = root.object("spec")) read_spec(workload, object, *spec);
    const auto status = root.object("status");
    if (const auto admission = status ? status->object("admission") : std::nullopt) {
      workload.cluster_queue = admission->text("clusterQueue");
      workload.held = held_in(*status, *admission);
    }
    if (status)
      status->each("admissionChecks", [&](const JsonObject& check) {
        workload.admission_checks.push_back(
            {check.text("name"), check.text("state"), check.text("message")});
      });
    workload.conditions = conditions_in(root);
  });
  return workload;
}

LocalQueue local_queue_from_json(const nlohmann::json& object) {
  LocalQueue queue;
  naming_object("LocalQueue", queue.ns, queue.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      queue.ns = metadata->text("namespace");
      queue.name = metadata->text("name");
    }
    if (const auto spec = root.object("spec")) {
      queue.cluster_queue = spec->text("clusterQueue");
      queue.stop_policy = spec->text("stopPolicy");
    }
    queue.status = queue_status_in(root);
    queue.conditions = conditions_in(root);
  });
  return queue;
}

ClusterQueue cluster_queue_from_json(const nlohmann::json& object) {
  ClusterQueue queue;
  naming_object("ClusterQueue", {}, queue.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) queue.name = metadata->text("name");
    if (const auto spec = root.object("spec")) {
      // v1beta2 calls it cohortName.
      queue.cohort = spec->has("cohortName") ? spec->text("cohortName") : spec->text("cohort");
      queue.strategy = spec->text("queueingStrategy");
      queue.stop_policy = spec->text("stopPolicy");
      queue.namespace_selector = object_selector_in(*spec, "namespaceSelector");
      if (const auto fungibility = spec->object("flavorFungibility"))
        queue.tries_next_before_borrowing = fungibility->text("whenCanBorrow") == "TryNextFlavor";
      queue.admission_checks = checks_in(*spec);
      queue.quotas = quotas_in(*spec);
    }
    queue.status = queue_status_in(root);
    note_reserved(queue);
    queue.conditions = conditions_in(root);
  });
  return queue;
}

Cohort cohort_from_json(const nlohmann::json& object) {
  Cohort cohort;
  naming_object("Cohort", {}, cohort.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) cohort.name = metadata->text("name");
    const auto spec = root.object("spec");
    if (!spec) return;
    // v1beta1 and v1beta2 call it parentName.
    cohort.parent = spec->has("parentName") ? spec->text("parentName") : spec->text("parent");
    cohort.quotas = quotas_in(*spec);
  });
  return cohort;
}

ResourceFlavor resource_flavor_from_json(const nlohmann::json& object) {
  ResourceFlavor flavor;
  naming_object("ResourceFlavor", {}, flavor.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) flavor.name = metadata->text("name");
    const auto spec = root.object("spec");
    if (!spec) return;
    flavor.node_labels = spec->strings("nodeLabels");
    spec->each("nodeTaints", [&](const JsonObject& taint) {
      flavor.node_taints.push_back(taint_from_json(taint));
    });
    flavor.tolerations = tolerations_in(*spec);
    flavor.topology = spec->text("topologyName");
  });
  return flavor;
}

QueueConfig queue_config_from_json(const nlohmann::json& object) {
  QueueConfig config;
  naming_object("ConfigMap", {}, std::string(kQueueConfigName), [&] {
    const JsonObject root(object, Path{});
    const auto data = root.object("data");
    nlohmann::json read = yaml_to_json(data ? data->text("controller_manager_config.yaml") : "");
    if (read.is_null()) read = nlohmann::json::object();
    const JsonObject settings(read, Path{});
    config.managed_namespaces = object_selector_in(settings, "managedJobsNamespaceSelector")
                                    .value_or(default_namespaces(settings));
  });
  return config;
}

}  // namespace gpu::decode
