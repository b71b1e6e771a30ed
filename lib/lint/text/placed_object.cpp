#include "lint/text/placed_object.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "lint/rules/subject.hpp"
#include "lint/text/each_object.hpp"
#include "manifest/read/document.hpp"

namespace gpu::lint {
namespace {

constexpr std::array<std::pair<PlacingField, const char*>, 8> kOfPods = {
    {{PlacingField::node_selector, "/nodeSelector"},
     {PlacingField::affinity, "/affinity"},
     {PlacingField::tolerations, "/tolerations"},
     {PlacingField::scheduler_name, "/schedulerName"},
     {PlacingField::priority_class, "/priorityClassName"},
     {PlacingField::spread, "/topologySpreadConstraints"},
     {PlacingField::claims, "/resourceClaims"},
     {PlacingField::volumes, "/volumes"}}};
constexpr const char* kQueue = "/metadata/labels/kueue.x-k8s.io~1queue-name";

/// The resources of the first container with GPUs.
std::optional<Pointer> gpus_at(const PodSubject& pod) {
  std::optional<Pointer> found;
  for_each_container(pod, [&](const ContainerSubject& each) {
    if (!found && gpus_of(each) > 0) found = each.at / "resources";
  });
  return found;
}

/// Where the fields of an object stand, each as often as templates have it.
std::multimap<PlacingField, Pointer> fields_of(const ObjectSubject& object) {
  std::multimap<PlacingField, Pointer> fields;
  if (object.object.contains(Pointer(kQueue)))
    fields.emplace(PlacingField::queue, object.in_document(kQueue));
  for (const decode::PodTemplate& made : decode::pod_templates(object.object)) {
    const PodSubject pod{.owner = object,
                         .made = made,
                         .spec = value_at(made.pod, Pointer("/spec")),
                         .spec_at = object.at / made.spec_at};
    if (!pod.spec.is_object()) continue;
    for (const auto& [field, pointer] : kOfPods)
      if (pod.spec.contains(Pointer(pointer))) fields.emplace(field, pod.in_document(pointer));
    if (auto at = gpus_at(pod)) fields.emplace(PlacingField::gpus, *std::move(at));
  }
  return fields;
}

/// The objects of one document; the document is read once for the places of all of them.
class ObjectsOfDocument {
 public:
  void add(const ObjectSubject& object) {
    std::string_view name = text_at(object.object, "/metadata/name");
    if (name.empty()) name = text_at(object.object, "/metadata/generateName");
    const auto fields = fields_of(object);
    PlacedObject made{.kind = object.name.kind,
                      .api_version = object.name.api_version,
                      .name = std::string(name),
                      .ns = std::string(text_at(object.object, "/metadata/namespace")),
                      .nothing = {.finding = {.at = object.at}},
                      .fields = {}};
    for (const auto& [field, at] : fields)
      if (fields.count(field) == 1) made.fields[field].finding.at = at;
    objects_.push_back(std::move(made));
  }

  /// With their places in `document`, which is the file's `number`th.
  std::vector<PlacedObject> placed(const manifest::ManifestDocument& document, std::size_t number) {
    std::vector<Pointer> pointers;
    each_finding([&](const PlacedFinding& it) { pointers.push_back(it.finding.at); });
    const std::vector<decode::TextPlace> places = document.places_of(pointers);
    auto place = places.begin();
    each_finding([&](PlacedFinding& it) {
      it.document = number;
      it.line = place->line;
      it.column = place->column;
      ++place;
    });
    return std::move(objects_);
  }

 private:
  template <class OnFinding>
  void each_finding(OnFinding on_finding) {
    for (PlacedObject& object : objects_) {
      on_finding(object.nothing);
      for (auto& [field, finding] : object.fields) on_finding(finding);
    }
  }

  std::vector<PlacedObject> objects_;
};

}  // namespace

std::vector<PlacedObject> objects_in(std::string_view text) {
  std::vector<PlacedObject> objects;
  std::size_t number = 0;
  try {
    for (const manifest::ManifestDocument& document : manifest::documents_of(text)) {
      ObjectsOfDocument found;
      each_object(document.object, Pointer(), {},
                  [&](const ObjectSubject& each) { found.add(each); });
      std::vector<PlacedObject> placed = found.placed(document, ++number);
      std::move(placed.begin(), placed.end(), std::back_inserter(objects));
    }
  } catch (const Error&) {  // lint_text() says it
    objects.clear();
  }
  return objects;
}

}  // namespace gpu::lint
