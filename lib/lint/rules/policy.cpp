#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/phrase.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "lint/rules/rules.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/quota_key.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kQuotas = "https://kubernetes.io/docs/concepts/policy/resource-quotas";
constexpr std::string_view kRanges = "https://kubernetes.io/docs/concepts/policy/limit-range";
constexpr std::string_view kPriorities =
    "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption";
constexpr std::string_view kBudgets =
    "https://kubernetes.io/docs/tasks/run-application/configure-pdb";
constexpr std::string_view kVolumes =
    "https://kubernetes.io/docs/concepts/storage/persistent-volumes#persistentvolumeclaims";

constexpr auto kRules = std::to_array<Rule>({
    {"quota-gpu-not-enforced", Severity::error, "the quota for GPUs is never enforced",
     "The API server accepts any name with a domain, and pods pass the quota: extended resources "
     "are "
     "counted by their requests alone, under the name that nodes advertise, and objects by plural "
     "and group (count/jobs.batch). Write requests. before the name. HAMi's scheduler reads "
     "limits. in its "
     "own way; without HAMi the quota does nothing.",
     "https://github.com/loft-sh/kiosk/issues/69"},
    {"quota-name-refused", Severity::error, "a quota has no such resource",
     "The API server refuses it: the resource must be a standard one or have a domain.", kQuotas},
    {"limit-range-gives-gpus", Severity::error,
     "each container without GPUs is given as many as the maximum",
     "Without a default, the default of a container is its maximum: sidecars and pods for the CPU "
     "hold GPUs too. Write the default 0.",
     kRanges},
    {"limit-range-default-gpus", Severity::warning,
     "each container without GPUs is given some by default",
     "The default is for all containers that request no GPU: sidecars and pods for the CPU hold "
     "GPUs too. Write the default 0.",
     kRanges},
    {"limit-range-refuses-pods", Severity::error, "pods without GPUs are refused",
     "The limit range requires GPUs of each pod in the namespace. Write type: Container with a "
     "maximum "
     "and the default 0. To limit a whole namespace, write a ResourceQuota.",
     kRanges},
    {"limit-range-default-differs", Severity::error,
     "the default limit and the default request of GPUs differ",
     "The API server refuses it: extended resources cannot be overcommitted. Leave defaultRequest "
     "out; it follows from the default.",
     kRanges},
    {"priority-too-high", Severity::error, "the value of a PriorityClass is not allowed",
     "The API server refuses it: the value is a whole number up to 1000000000. Higher ones are for "
     "the system.",
     kPriorities},
    {"priority-name-reserved", Severity::error, "the name of a PriorityClass is reserved",
     "The API server refuses it: names that start with system- are for the system.", kPriorities},
    {"preemption-policy-unknown", Severity::error, "there is no such preemption policy",
     "The API server refuses it. The letter case counts.", kPriorities},
    {"priority-global-default", Severity::warning,
     "the PriorityClass is the default of the whole cluster",
     "All new pods without a class of their own get it, in every namespace.", kPriorities},
    {"pdb-two-bounds", Severity::error, "minAvailable and maxUnavailable are both set",
     "The API server refuses it.", kBudgets},
    {"pdb-blocks-drains", Severity::error, "the budget has neither minAvailable nor maxUnavailable",
     "The API server accepts it, and no pod of it can be evicted: every drain waits for good. "
     "Write maxUnavailable: 1 for servers, minAvailable with the number of pods for training.",
     kBudgets},
    {"pdb-bound-quoted", Severity::error, "the bound of a budget is no number and no share",
     "The API server refuses it: a text has to be a percentage.", kBudgets},
    {"pdb-selects-nothing", Severity::warning, "the budget has no selector",
     "Without a selector it is for no pod. {} stands for all pods of the namespace.", kBudgets},
    {"pvc-size-missing", Severity::error, "the claim has no size",
     "The API server refuses it: resources.requests.storage is required.", kVolumes},
    {"pvc-access-modes", Severity::error, "the claim has no valid access mode",
     "The API server refuses it: at least one of ReadWriteOnce, ReadOnlyMany, ReadWriteMany and "
     "ReadWriteOncePod is required. The short forms RWO, ROX, RWX are for people alone.",
     kVolumes},
});

enum RuleAt : std::size_t {
  kNotEnforced,
  kNameRefused,
  kGivesGpus,
  kDefaultGpus,
  kRefusesPods,
  kDefaultDiffers,
  kTooHigh,
  kReserved,
  kPreemption,
  kGlobalDefault,
  kTwoBounds,
  kBlocksDrains,
  kBoundQuoted,
  kSelectsNothing,
  kSizeMissing,
  kAccessModes,
};

constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kLimits = "limits.";

/// Whether a quota of that name would count a resource of a device plugin, if it had `requests.`.
bool is_extended(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || slash == 0 || name.starts_with("count/")) return false;
  const std::string_view domain = name.substr(0, slash);
  // Devices of claims, and storage of a class.
  return !domain.ends_with("k8s.io") && !domain.ends_with("kubernetes.io");
}

/// HAMi's amounts stand in a quota only where its scheduler reads them.
bool is_of_hami(const json& hard) {
  for (const auto& [name, amount] : hard.items())
    if (contains(name, "gpumem") || contains(name, "gpucores")) return true;
  return false;
}

std::optional<Edit> rename_in(const json& map, const Pointer& at, const std::string& name) {
  if (map.contains(name)) return std::nullopt;
  return Edit{Edit::Kind::rename, at, name};
}

void check_quota(const ObjectSubject& object, Findings& findings) {
  const json& hard = object.value("/spec/hard");
  if (!hard.is_object()) return;
  const bool has_hami = is_of_hami(hard);
  for (const auto& [name, amount] : hard.items()) {
    const Pointer at = object.in_document("/spec/hard") / name;
    const bool has_limits = name.starts_with(kLimits);
    const std::optional<QuotaKey> known = quota_key(name);
    const std::string resource = has_limits ? name.substr(kLimits.size()) : name;
    if (!name.starts_with(kRequests) && is_extended(resource) && !(has_limits && has_hami)) {
      const std::string meant = known && !known->suggestion.empty()
                                    ? known->suggestion
                                    : std::string(kRequests) + resource;
      findings.add(kRules[kNotEnforced], at,
                   fmt::format("{}: {} is never enforced", name, written(amount)),
                   fmt::format("write {}", meant), rename_in(hard, at, meant));
    } else if (known && (known->fault == QuotaKeyFault::misspelt ||
                         known->fault == QuotaKeyFault::wrong_group)) {
      findings.add(
          kRules[kNotEnforced], at, fmt::format("{}: {} is never enforced", name, written(amount)),
          fmt::format("write {}", known->suggestion), rename_in(hard, at, known->suggestion));
    }
    if (contains(name, "/")) continue;
    if (contains(lower_case(name), "gpu"))
      findings.add(kRules[kNameRefused], at, fmt::format("a quota has no resource {}", name),
                   "write requests.nvidia.com/gpu", rename_in(hard, at, "requests.nvidia.com/gpu"));
  }
}

/// The amounts of GPUs under a key of a limit range.
class Bounds {
 public:
  Bounds(const json& item, const std::string& key) : amounts_(value_at(item, Pointer() / key)) {}

  [[nodiscard]] std::optional<Quantity> of(const std::string& name) const {
    const auto found = amounts_.is_object() ? amounts_.find(name) : amounts_.end();
    if (!amounts_.is_object() || found == amounts_.end()) return std::nullopt;
    return Quantity::parse(written(*found));
  }
  [[nodiscard]] std::vector<std::string> gpus() const {
    std::vector<std::string> names;
    if (!amounts_.is_object()) return names;
    for (const auto& [name, amount] : amounts_.items())
      if (gpu_resource(name)) names.push_back(name);
    return names;
  }

 private:
  const json& amounts_;
};

class LimitRangeItem {
 public:
  LimitRangeItem(const json& item, Pointer at, Findings& findings)
      : at_(std::move(at)),
        findings_(findings),
        type_(text_at(item, "/type")),
        least_(item, std::string("min")),
        most_(item, std::string("max")),
        given_(item, std::string("default")),
        asked_(item, std::string("defaultRequest")),
        ratio_(item, std::string("maxLimitRequestRatio")) {}

  void check() {
    for (const std::string& name : ratio_.gpus())
      refuses("maxLimitRequestRatio", name, "maxLimitRequestRatio refuses pods without");
    if (type_ == "Pod") {
      for (const std::string& name : most_.gpus())
        refuses("max", name, "a maximum of type Pod refuses pods without");
      for (const std::string& name : least_.gpus())
        refuses("min", name, "a minimum of type Pod refuses pods without");
    }
    if (type_ == "Container") check_container();
  }

 private:
  void refuses(const char* key, const std::string& name, const char* what) {
    findings_.add(kRules[kRefusesPods], at_ / key / name, fmt::format("{} {}", what, name),
                  fmt::format("write type: Container with max, and default {}: \"0\"", name));
  }

  void check_container() {
    for (const std::string& name : most_.gpus())
      if (!given_.of(name) && most_.of(name).value_or(Quantity{}) > Quantity{})
        findings_.add(kRules[kGivesGpus], at_ / "max" / name,
                      fmt::format("each container that requests no {} is given {}", name,
                                  most_.of(name)->value()),
                      fmt::format("add default {}: \"0\"", name),
                      Edit{Edit::Kind::set, at_ / "default" / name, "0"});
    for (const std::string& name : given_.gpus()) check_default(name);
    for (const std::string& name : least_.gpus()) check_least(name);
    for (const std::string& name : asked_.gpus())
      if (!given_.of(name) && !most_.of(name))
        refuses("defaultRequest", name,
                "defaultRequest without a default refuses containers without");
  }

  void check_default(const std::string& name) {
    const auto given = given_.of(name);
    const auto asked = asked_.of(name);
    if (!given) return;
    if (*given > Quantity{})
      findings_.add(
          kRules[kDefaultGpus], at_ / "default" / name,
          fmt::format("each container that requests no {} is given {}", name, given->value()),
          "write \"0\"");
    if (asked && *asked != *given)
      findings_.add(kRules[kDefaultDiffers], at_ / "defaultRequest" / name,
                    fmt::format("{} is {} by default, and its request {}", name, given->value(),
                                asked->value()),
                    fmt::format("leave out defaultRequest for {}", name),
                    Edit{Edit::Kind::remove, at_ / "defaultRequest" / name, {}});
  }

  void check_least(const std::string& name) {
    const auto least = least_.of(name);
    if (!least || *least <= Quantity{}) return;
    const auto given = given_.of(name);
    // Without a default, the maximum is given, and that is at least the minimum.
    if (given ? *given < *least : !most_.of(name))
      findings_.add(
          kRules[kRefusesPods], at_ / "min" / name,
          fmt::format("a minimum of {} refuses containers without {}", least->value(), name),
          fmt::format("leave out min for {}", name),
          Edit{Edit::Kind::remove, at_ / "min" / name, {}});
  }

  Pointer at_;
  Findings& findings_;
  std::string_view type_;
  Bounds least_, most_, given_, asked_, ratio_;
};

void check_limit_range(const ObjectSubject& object, Findings& findings) {
  const json& limits = object.value("/spec/limits");
  for (std::size_t i = 0; limits.is_array() && i < limits.size(); ++i)
    LimitRangeItem(limits[i], object.in_document("/spec/limits") / i, findings).check();
}

std::optional<std::string_view> preemption_meant(std::string_view written,
                                                 std::span<const std::string_view> policies) {
  for (const std::string_view each : policies)
    if (equal_ignoring_case(each, written)) return each;
  return nearest_name(written, policies);
}

void check_priority(const ObjectSubject& object, Findings& findings) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const json& value = object.value("/value");
  const bool is_whole = value.is_number_integer();
  if (!value.is_null() && (!is_whole || value > kMost))
    findings.add(kRules[kTooHigh], object.in_document("/value"),
                 is_whole ? fmt::format("the value {} is above 1000000000", written(value))
                          : fmt::format("the value {} is no whole number", written(value)),
                 "write a whole number up to 1000000000");
  if (const std::string_view name = text_at(object.object, "/metadata/name");
      name.starts_with("system-"))
    findings.add(kRules[kReserved], object.in_document("/metadata/name"),
                 fmt::format("the name {} is reserved", name),
                 "write a name that does not start with system-");
  const Pointer at = object.in_document("/preemptionPolicy");
  constexpr auto kPolicies = std::to_array<std::string_view>({"PreemptLowerPriority", "Never"});
  if (const std::string_view policy = text_at(object.object, "/preemptionPolicy");
      !policy.empty() && policy != kPolicies[0] && policy != kPolicies[1]) {
    const auto near = preemption_meant(policy, kPolicies);
    findings.add(
        kRules[kPreemption], at, fmt::format("there is no preemptionPolicy {}", policy),
        near ? fmt::format("write {}", *near) : "write Never or PreemptLowerPriority",
        near ? std::optional(Edit{Edit::Kind::set, at, std::string(*near)}) : std::nullopt);
  }
  if (object.value("/globalDefault") == true)
    findings.add(kRules[kGlobalDefault], object.in_document("/globalDefault"),
                 "all pods of the cluster without a class of their own get this one",
                 "write globalDefault: false");
}

void check_bound(const ObjectSubject& object, const char* pointer, Findings& findings) {
  const json& bound = object.value(pointer);
  if (!bound.is_string()) return;
  const std::string_view text = text_at(object.object, pointer);
  const auto number = whole_number(text);
  if (text.ends_with('%') && whole_number(text.substr(0, text.size() - 1))) return;
  const Pointer at = object.in_document(pointer);
  findings.add(kRules[kBoundQuoted], at,
               fmt::format("{} is the text \"{}\", which is no percentage", at.back(), text),
               number ? fmt::format("write {} without quotes", *number)
                      : "write a number without quotes, or a percentage",
               number ? std::optional(Edit{Edit::Kind::set, at, *number}) : std::nullopt);
}

void check_budget(const ObjectSubject& object, Findings& findings) {
  const json& spec = object.value("/spec");
  const bool has_least = !object.value("/spec/minAvailable").is_null();
  const bool has_most = !object.value("/spec/maxUnavailable").is_null();
  if (has_least && has_most)
    findings.add(kRules[kTwoBounds], object.in_document("/spec/maxUnavailable"),
                 "minAvailable and maxUnavailable are both set", "keep one of them");
  if (!has_least && !has_most)
    findings.add(kRules[kBlocksDrains], object.in_document("/spec"),
                 "the budget allows no eviction at all", "write maxUnavailable: 1 for servers");
  check_bound(object, "/spec/minAvailable", findings);
  check_bound(object, "/spec/maxUnavailable", findings);
  if (spec.is_object() && !spec.contains("selector"))
    findings.add(kRules[kSelectsNothing], object.in_document("/spec/selector"),
                 "the budget has no selector, and is for no pod",
                 "write selector with matchLabels of the pods");
}

/// RWX is how kubectl shows ReadWriteMany.
std::string_view access_mode_meant(std::string_view written) {
  struct Mode {
    std::string_view name, shown;
  };
  static constexpr auto kModes = std::to_array<Mode>({{"ReadWriteOnce", "RWO"},
                                                      {"ReadOnlyMany", "ROX"},
                                                      {"ReadWriteMany", "RWX"},
                                                      {"ReadWriteOncePod", "RWOP"}});
  std::vector<std::string_view> names;
  for (const Mode& each : kModes) {
    if (equal_ignoring_case(written, each.shown) || equal_ignoring_case(written, each.name))
      return each.name;
    names.push_back(each.name);
  }
  return nearest_name(written, names).value_or(std::string_view());
}

void check_claim(const ObjectSubject& object, Findings& findings) {
  if (!object.value("/spec").is_object()) return;
  const Pointer size = Pointer("/spec/resources/requests/storage");
  if (value_at(object.object, size).is_null())
    findings.add(kRules[kSizeMissing], object.at / size, "the claim requests no storage",
                 "write resources.requests.storage, as 200Gi");
  const char* const at = "/spec/accessModes";
  const json& modes = object.value(at);
  if (modes.is_null() || (modes.is_array() && modes.empty()))
    findings.add(kRules[kAccessModes], object.in_document(at), "the claim has no access mode",
                 "write [ReadWriteOnce], or [ReadWriteMany] for pods on several nodes",
                 Edit{Edit::Kind::append, object.in_document(at), "ReadWriteOnce"});
  for (std::size_t i = 0; modes.is_array() && i < modes.size(); ++i) {
    const std::string mode = written(modes[i]);
    const std::string_view meant = access_mode_meant(mode);
    const Pointer where = object.in_document(at) / i;
    if (mode != meant)
      findings.add(
          kRules[kAccessModes], where, fmt::format("there is no access mode {}", mode),
          meant.empty() ? "write ReadWriteOnce or ReadWriteMany" : fmt::format("write {}", meant),
          meant.empty() ? std::nullopt
                        : std::optional(Edit{Edit::Kind::set, where, std::string(meant)}));
  }
}

}  // namespace

std::span<const Rule> policy_rules() { return kRules; }

void check_policy(const ObjectSubject& object, Findings& findings) {
  if (object.is("ResourceQuota", "")) check_quota(object, findings);
  if (object.is("LimitRange", "")) check_limit_range(object, findings);
  if (object.is("PriorityClass", "scheduling.k8s.io")) check_priority(object, findings);
  if (object.is("PodDisruptionBudget", "policy")) check_budget(object, findings);
  if (object.is("PersistentVolumeClaim", "")) check_claim(object, findings);
}

}  // namespace gpu::lint
