#include "manifest/read/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "decode/kinds/policy_object.hpp"
#include "decode/kinds/volume_object.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/pod_template.hpp"
#include "decode/objects/resource_claim.hpp"
#include "manifest/read/api_kind.hpp"
#include "manifest/read/bounds.hpp"
#include "manifest/read/count.hpp"
#include "manifest/read/count_mistake.hpp"
#include "manifest/read/document.hpp"
#include "manifest/read/group.hpp"
#include "manifest/read/growth.hpp"
#include "manifest/read/json_value.hpp"
#include "manifest/read/mistake.hpp"
#include "manifest/read/object_name.hpp"
#include "manifest/read/outline.hpp"
#include "manifest/read/queue.hpp"
#include "manifest/read/structure.hpp"
#include "manifest/read/template_labels.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

/// An object of the manifest, by what its pods are called.
struct Maker {
  std::string kind;
  std::string name;
  std::string ns;
  std::string api_version;
  Pointer at;  ///< in its document
};

/// Kinds that are nothing without their pods.
bool must_have_template(const WorkloadKind& kind) {
  return kind.group == "apps" || kind.group == "batch" || kind.kind == "ReplicationController";
}

constexpr const char* kQueueLabel = "kueue.x-k8s.io/queue-name";

std::string queue_in(const json& object) {
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return {};
  const auto labels = metadata->find("labels");
  return labels != metadata->end() && labels->is_object() ? text_in(*labels, kQueueLabel)
                                                          : std::string();
}

/// Of what makes the pods, of the Jobs that a CronJob makes (its own label is not theirs), or of
/// the pods.
std::string queue_of(const json& object, const decode::PodTemplate& made) {
  const Pointer job("/spec/jobTemplate");
  const bool has_jobs = object.contains(job) && object.at(job).is_object();
  std::string queue = queue_in(has_jobs ? object.at(job) : object);
  return queue.empty() ? queue_in(made.pod) : queue;
}

/// Kinds that hold templates of pods, and make no pods themselves.
bool is_no_maker(std::string_view kind) {
  static constexpr std::array<std::string_view, 9> kKinds = {"PodTemplate",
                                                             "Workload",
                                                             "ServingRuntime",
                                                             "ClusterServingRuntime",
                                                             "TrainingRuntime",
                                                             "ClusterTrainingRuntime",
                                                             "WorkflowTemplate",
                                                             "ClusterWorkflowTemplate",
                                                             "CustomResourceDefinition"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// What nobody knows of pods that an object describes in a way of its own.
std::string unknown_of_found(std::string_view found_at) {
  std::string text = "how many pods its controller creates, and what else it gives them";
  if (!found_at.empty()) text += fmt::format(": the request is found at {}", found_at);
  return text;
}

class Reader {
 public:
  Reader(const ManifestDocument& document, const std::string& file, const std::string& ns,
         PlannedObjects& planned)
      : document_(document), file_(file), ns_(ns), planned_(planned) {}

  void read() { read(document_.object, Pointer(), {}, {}); }

 private:
  [[noreturn]] void fail(const Pointer& at, const std::string& problem,
                         const std::string& help = {}) const {
    throw Error(ErrorKind::data, document_.place_of(at) + ": " + problem, help);
  }

  /// Where the mistaken field stands, or would.
  void check_kind(const json& object, const Maker& maker) const {
    const auto mistake = kind_mistake({maker.kind, maker.api_version});
    if (!mistake) return;
    const char* const field = mistake->field == KindMistake::Field::kind ? "kind" : "apiVersion";
    fail(object.contains(field) ? maker.at / field : maker.at, mistake->problem, mistake->help);
  }

  void check_counts(const json& object, const Maker& maker) const {
    const auto mistake = mistake_in_counts(object, {maker.kind, maker.api_version});
    if (!mistake) return;
    fail(joined(maker.at, mistake->at), decode::path_text(mistake->at) + ": " + mistake->problem,
         mistake->help);
  }

  void read(const json& object, const Pointer& at, const std::string& usual_kind,
            const std::string& usual_version) {
    if (!object.is_object()) fail(at, "not a Kubernetes object: it has no kind");
    Maker maker{.kind = usual_kind, .name = {}, .ns = ns_, .api_version = usual_version, .at = at};
    if (const auto kind = text_in(object, "kind"); !kind.empty()) maker.kind = kind;
    if (maker.kind.empty()) fail(at, "not a Kubernetes object: it has no kind");
    if (const auto version = text_in(object, "apiVersion"); !version.empty())
      maker.api_version = version;
    if (maker.kind.ends_with("List")) return read_items(object, maker);
    check_kind(object, maker);
    check_counts(object, maker);
    const WorkloadKind* const kind = workload_kind(maker.kind, maker.api_version);
    take_autoscaler(object, maker);
    if (take_claim(object, maker) || take_policy(object, maker)) return;
    std::vector<decode::PodTemplate> templates = templates_of(object, maker, kind);
    if (templates.empty() && kind == nullptr) return pass_over(object, maker);
    read_metadata(object, maker);
    if (kind != nullptr && is_part_unsaid(*kind, templates)) {
      say_unknown(*kind, maker);
      take_outline(object, maker, templates.empty() ? "" : "spec.predictor.model");
    }
    if (kind != nullptr && !must_have_template(*kind) && kind->plural != "pods")
      for (FoundPod& each : found_pods(object)) take_found(object, maker, std::move(each));
    for (decode::PodTemplate& each : templates) {
      PlannedPod planned{.file = file_, .queue = queue_of(object, each)};
      if (templates.size() > 1) planned.template_at = decode::path_text(template_of(each.spec_at));
      FieldsOpinion fields = opinion_on_fields(object, {maker.kind, maker.api_version}, each);
      planned.mistake =
          fields.mistake ? std::move(fields.mistake) : mistake_in_name(object, maker.kind);
      if (planned.mistake) say_place(*planned.mistake, object, maker);
      planned.not_checked = std::move(fields.not_checked);
      if (!planned.queue.empty())
        for (std::string& queueing : unjudged_queueing(object, each))
          planned.not_checked.push_back(std::move(queueing));
      PodCount counted = count_of(object, each, planned.queue);
      planned.count = counted.count;
      planned.none_because = std::move(counted.none_because);
      planned.bounds =
          bounds_of(object, {maker.kind, maker.api_version}, each, counted.once_resumed);
      planned.group = planned_group(object, maker.api_version, each.spec_at);
      if (maker.kind == "StatefulSet") read_claim_templates(object, maker, planned);
      const AddedLabels labels =
          labels_added(object, {maker.kind, maker.api_version}, each.spec_at);
      add_labels(each.pod, labels);
      if (std::string version = unseen_version({maker.kind, maker.api_version}); !version.empty())
        planned.not_checked.push_back(std::move(version));
      if (kind == nullptr)
        planned.not_checked.push_back(
            unknown_of_found(decode::path_text(template_of(each.spec_at))));
      take(object, std::move(each), maker, std::move(planned), planned_.pods);
      for (std::string& rule : settle_rules(planned_.pods.back().pod, labels))
        planned_.pods.back().not_checked.push_back(std::move(rule));
    }
  }

  void say_place(FieldMistake& mistake, const json& object, const Maker& maker) const {
    if (mistake.field.empty()) return;
    const Pointer at = joined(maker.at, decode::pointer_of(object, mistake.field));
    mistake.advice = fmt::format("{}: {}", document_.place_of(at), mistake.advice);
  }

  /// Of a kind that is not known. Names it where it holds templates of pods with GPUs.
  void pass_over(const json& object, Maker& maker) {
    if (is_no_maker(maker.kind)) return;
    std::vector<decode::PodTemplate> templates = decode::pod_templates(object);
    std::erase_if(templates, [](const decode::PodTemplate& each) {
      return !requests_devices(each.pod.at("spec").at("containers"));
    });
    std::vector<FoundPod> found = found_pods(object);
    if (templates.empty() && found.empty()) return;
    read_metadata(object, maker);
    if (!templates.empty()) planned_.holders.push_back(lower_case(maker.kind) + "/" + maker.name);
    for (decode::PodTemplate& each : templates) {
      const std::string at = decode::path_text(template_of(each.spec_at));
      take_found(object, maker, {.made = std::move(each), .found_at = at, .write_at = at});
    }
    for (FoundPod& each : found) take_found(object, maker, std::move(each));
  }

  void take_found(const json& object, const Maker& maker, FoundPod&& found) {
    PodCount counted = count_of(object, found.made, {});
    PlannedPod planned{.count = counted.count * found.instances,
                       .file = file_,
                       .none_because = std::move(counted.none_because),
                       .queue = queue_of(object, found.made),
                       .template_at = std::move(found.write_at)};
    if (planned.count == 0 && planned.none_because.empty()) planned.none_because = "instances is 0";
    planned.not_checked.push_back(unknown_of_found(found.found_at));
    if (std::string version = unseen_version({maker.kind, maker.api_version}); !version.empty())
      planned.not_checked.push_back(std::move(version));
    take(object, std::move(found.made), maker, std::move(planned), planned_.found);
  }

  /// Whether templates are not all that it makes pods of: none is there, or only one beside the
  /// model of an InferenceService.
  static bool is_part_unsaid(const WorkloadKind& kind,
                             const std::vector<decode::PodTemplate>& templates) {
    if (kind.kind != "InferenceService") return templates.empty();
    return std::none_of(templates.begin(), templates.end(), [](const decode::PodTemplate& each) {
      return each.spec_at.to_string().starts_with("/spec/predictor");
    });
  }

  void read_claim_templates(const json& object, const Maker& maker, PlannedPod& planned) const {
    const Pointer at("/spec/volumeClaimTemplates");
    if (!object.contains(at) || !object.at(at).is_array()) return;
    for (std::size_t i = 0; i < object.at(at).size(); ++i) {
      try {
        planned.volume_claims.push_back(decode::volume_claim_from_json(object.at(at / i)));
      } catch (const Error& error) {
        fail(joined(maker.at, at / i), error.message());
      }
    }
    const Pointer start("/spec/ordinals/start");
    if (!object.contains(start) || !object.at(start).is_number_integer()) return;
    const auto first = object.at(start).get<std::int64_t>();
    planned.first_ordinal =
        std::clamp<std::int64_t>(first, 0, std::numeric_limits<std::int32_t>::max());
  }

  /// Whether it is a claim for devices or a volume, which pods of the same manifest may use.
  bool take_claim(const json& object, Maker& maker) {
    const bool is_volume = maker.kind == "PersistentVolumeClaim" && maker.api_version == "v1";
    const bool is_device =
        (maker.kind == "ResourceClaim" || maker.kind == "ResourceClaimTemplate") &&
        maker.api_version.starts_with("resource.k8s.io/");
    if (!is_volume && !is_device) return false;
    read_metadata(object, maker);
    try {
      if (is_volume)
        add(planned_.volume_claims, decode::volume_claim_from_json(object), maker);
      else if (maker.kind == "ResourceClaim")
        add(planned_.claims, decode::resource_claim_from_json(object), maker);
      else
        add(planned_.claim_templates, decode::claim_template_from_json(object), maker);
    } catch (const Error& error) {
      fail(maker.at, error.message());
    }
    return true;
  }

  /// Where it scales another object.
  void take_autoscaler(const json& object, Maker& maker) {
    const KindName kind{maker.kind, maker.api_version};
    if (!is_autoscaler(object, kind)) return;
    read_metadata(object, maker);
    planned_.autoscalers.push_back(autoscaler_of(object, kind, maker.name, maker.ns));
  }

  /// Whether it decides about pods: PriorityClasses and Namespaces are taken, others are named.
  bool take_policy(const json& object, Maker& maker) {
    static constexpr std::array<std::string_view, 13> kOthers = {"ResourceQuota",
                                                                 "LimitRange",
                                                                 "RuntimeClass",
                                                                 "DeviceClass",
                                                                 "LocalQueue",
                                                                 "ClusterQueue",
                                                                 "Cohort",
                                                                 "ResourceFlavor",
                                                                 "Queue",
                                                                 "StorageClass",
                                                                 "PersistentVolume",
                                                                 "ResourceSlice",
                                                                 "HorizontalPodAutoscaler"};
    const bool is_class =
        maker.kind == "PriorityClass" && maker.api_version.starts_with("scheduling.k8s.io/");
    const bool is_namespace = maker.kind == "Namespace" && maker.api_version == "v1";
    const bool is_other = std::find(kOthers.begin(), kOthers.end(), maker.kind) != kOthers.end();
    std::optional<VolcanoPodGroup> group = pod_group_from(object, maker.kind, maker.api_version);
    if (!is_class && !is_namespace && !is_other && !group) return false;
    read_metadata(object, maker);
    if (group) {
      group->ns = maker.ns;
      group->name = maker.name;
      planned_.pod_groups.push_back(*std::move(group));
      return true;
    }
    if (is_other) {
      planned_.beside.push_back(lower_case(maker.kind) + "/" + maker.name);
      return true;
    }
    try {
      if (is_namespace)
        planned_.namespaces.push_back(decode::namespace_from_json(object));
      else
        planned_.priority_classes.push_back(decode::priority_class_from_json(object));
    } catch (const Error& error) {
      fail(maker.at, error.message());
    }
    return true;
  }

  template <class Claim>
  static void add(std::vector<Claim>& claims, Claim claim, const Maker& maker) {
    claim.ns = maker.ns;
    claims.push_back(std::move(claim));
  }

  void read_items(const json& object, const Maker& list) {
    const auto items = object.find("items");
    if (items == object.end() || items->is_null()) return;
    if (!items->is_array()) fail(list.at / "items", "items: expected a list");
    const std::string kind = list.kind == "List" ? "" : list.kind.substr(0, list.kind.size() - 4);
    for (std::size_t i = 0; i < items->size(); ++i)
      read((*items)[i], list.at / "items" / i, kind, kind.empty() ? "" : list.api_version);
  }

  /// Of kinds that are not known, what stands where most of them have it; of KEDA's ScaledJob, its
  /// Jobs.
  static std::vector<decode::PodTemplate> templates_of(const json& object, const Maker& maker,
                                                       const WorkloadKind* kind) {
    std::vector<decode::PodTemplate> templates = decode::pod_templates(object);
    if (kind != nullptr) return templates;
    static const std::array<Pointer, 2> kUsual = {Pointer("/spec/template/spec"),
                                                  Pointer("/spec/jobTemplate/spec/template/spec")};
    static const Pointer kScaledJob("/spec/jobTargetRef/template/spec");
    const bool is_scaled_job =
        maker.kind == "ScaledJob" && maker.api_version.starts_with("keda.sh/");
    std::erase_if(templates, [&](const decode::PodTemplate& each) {
      if (is_scaled_job) return each.spec_at != kScaledJob;
      return std::find(kUsual.begin(), kUsual.end(), each.spec_at) == kUsual.end();
    });
    return templates;
  }

  void read_metadata(const json& object, Maker& maker) const {
    const Pointer at = maker.at / "metadata";
    const auto metadata = object.find("metadata");
    if (metadata == object.end() || metadata->is_null()) fail(maker.at, "metadata.name: required");
    if (!metadata->is_object()) fail(at, "metadata: expected an object");
    for (const char* key : {"name", "generateName", "namespace"})
      if (const auto value = metadata->find(key);
          value != metadata->end() && !value->is_null() && !value->is_string())
        fail(at / key, fmt::format("metadata.{}: expected text, got {}", key,
                                   value->dump(-1, ' ', false, json::error_handler_t::replace)));
    maker.name = text_in(*metadata, "name");
    if (maker.name.empty()) maker.name = text_in(*metadata, "generateName");
    if (maker.name.empty()) fail(at, "metadata.name: required");
    if (const std::string own = text_in(*metadata, "namespace"); !own.empty()) maker.ns = own;
  }

  void say_unknown(const WorkloadKind& kind, const Maker& maker) {
    const bool is_pod = kind.plural == "pods";
    if (is_pod || must_have_template(kind)) {
      const Pointer spec = maker.at / "spec";
      std::string path = is_pod ? "spec.containers" : "spec.template.spec.containers";
      if (kind.kind == "CronJob") path = "spec.jobTemplate.spec.template.spec.containers";
      fail(spec, path + ": required, a list of containers");
    }
    planned_.unknown.push_back(lower_case(maker.kind) + "/" + maker.name);
  }

  static Pointer template_of(Pointer spec_at) {
    if (!spec_at.empty() && spec_at.back() == "spec") spec_at.pop_back();
    return spec_at;
  }

  /// Its pods have no containers that could be judged. `template_at` is where it stands, if the
  /// object has templates beside it.
  void take_outline(const json& object, const Maker& maker, const std::string& template_at) {
    std::optional<PodOutline> outline = outline_of(object, {maker.kind, maker.api_version});
    if (!outline) return;
    PlannedPod planned{.count = outline->count, .file = file_, .template_at = template_at};
    planned.bounds =
        bounds_of(object, {maker.kind, maker.api_version}, outline->made, outline->count);
    planned.none_because = std::move(outline->none_because);
    planned.pod = decoded(outline->made, maker);
    planned.pod.ns = maker.ns;
    planned.pod.name = maker.name;
    planned.pod.owners = {owner_of(maker)};
    if (maker.kind == "TrainJob") {
      planned_.found.push_back(planned);
      planned_.found.back().template_at = "spec.trainer";
      planned_.found.back().not_checked = {unknown_of_found("spec.trainer")};
    }
    planned_.outlines.push_back(std::move(planned));
  }

  static OwnerReference owner_of(const Maker& maker) {
    return {.kind = maker.kind,
            .name = maker.name,
            .uid = {},
            .api_version = maker.api_version,
            .controller = true};
  }

  void take(const json& object, decode::PodTemplate&& made, const Maker& maker, PlannedPod planned,
            std::vector<PlannedPod>& to) {
    if (made.pod["spec"]["containers"].empty())
      fail(joined(maker.at, made.spec_at),
           decode::path_text(made.spec_at) + ".containers: required, a list of containers");
    made.pod["metadata"]["name"] = maker.name;
    made.pod["metadata"]["namespace"] = maker.ns;
    Pod& pod = planned.pod = decoded(made, maker);
    pod.phase = "Pending";
    if (std::erase_if(pod.volumes, [](const PodVolume& each) { return each.is_ephemeral; }) > 0)
      planned.not_checked.emplace_back("the ephemeral volumes that are made for it");
    const WorkloadKind* const kind = workload_kind(maker.kind, maker.api_version);
    if (kind == nullptr || kind->plural != "pods") pod.owners = {owner_of(maker)};
    if (std::string by = scheduler_around(object, maker.api_version, made.spec_at); !by.empty())
      pod.scheduler_name = std::move(by);
    // As Volcano's controller writes it into the pods of a Job.
    if (std::string group_queue = volcano_queue_in(object, maker.api_version);
        !group_queue.empty() && pod.scheduler_name == "volcano" &&
        !pod.annotations.contains("scheduling.volcano.sh/queue-name"))
      pod.annotations.set("volcano.sh/queue-name", group_queue);
    to.push_back(std::move(planned));
  }

  static Pointer joined(Pointer front, const Pointer& back) { return front / back; }

  /// What a decoder says of a pod is said of the place in the manifest that it comes from.
  [[nodiscard]] Pod decoded(const decode::PodTemplate& made, const Maker& maker) const {
    try {
      return decode::pod_from_json(made.pod);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      // "Pod NAMESPACE/NAME: PATH: PROBLEM"
      const std::string& message = error.message();
      const std::size_t path_at = std::min(message.find(": "), message.size() - 2) + 2;
      const std::size_t path_end = std::min(message.find(": ", path_at), message.size());
      Pointer in_pod = decode::pointer_of(
          made.pod, std::string_view(message).substr(path_at, path_end - path_at));
      const Pointer at = in_object(made, in_pod);
      const std::string problem = message.substr(path_end);
      add_member(in_pod, made.pod, problem);
      fail(joined(maker.at, in_object(made, in_pod)), decode::path_text(at) + problem);
    }
  }

  /// Of quantities the problem names which: `: nvidia.com/gpu is "4x", which is not a quantity`.
  static void add_member(Pointer& in_pod, const json& pod, std::string_view problem) {
    if (!pod.at(in_pod).is_object()) return;
    for (const auto& [key, value] : pod.at(in_pod).items())
      if (problem.starts_with(": " + key + " is ")) {
        in_pod /= key;
        return;
      }
  }

  static Pointer in_object(const decode::PodTemplate& made, const Pointer& in_pod) {
    std::vector<std::string> parts;
    for (Pointer at = in_pod; !at.empty(); at.pop_back()) parts.push_back(at.back());
    if (parts.empty()) return made.spec_at;
    Pointer at = parts.back() == "metadata" ? made.metadata_at : made.spec_at;
    for (std::size_t i = parts.size() - 1; i > 0; --i) at /= parts[i - 1];
    return at;
  }

  const ManifestDocument& document_;
  const std::string& file_;
  const std::string& ns_;
  PlannedObjects& planned_;
};

}  // namespace

PlannedObjects read_manifest(std::string_view text, const std::string& name,
                             const std::string& ns) {
  PlannedObjects planned;
  try {
    for (const ManifestDocument& document : documents_of(text))
      Reader(document, name, ns, planned).read();
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, name + ": " + error.message(), error.help());
  }
  return planned;
}

}  // namespace gpu::manifest
