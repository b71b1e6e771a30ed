#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "lint/rules/rules.hpp"
#include "manifest/read/api_kind.hpp"
#include "manifest/read/count_mistake.hpp"
#include "manifest/read/object_name.hpp"
#include "manifest/schema/field_type.hpp"

namespace gpu::lint {
namespace {

using manifest::FieldType;
using Form = FieldType::Form;

constexpr std::string_view kObjects =
    "https://kubernetes.io/docs/concepts/overview/working-with-objects";

constexpr auto kRules = std::to_array<Rule>({
    {"api-version-unserved", Severity::error, "no API server has this kind in this version",
     "kubectl says that there are no matches for the kind, and creates nothing. Kubernetes' own "
     "kinds are known as servers 1.30 to 1.36 have them, and the kinds of others that own pods.",
     "https://kubernetes.io/docs/reference/using-api/deprecation-guide"},
    {"kind-unknown-here", Severity::warning, "the kind or its version is not known",
     "The group is known, and had no such kind or version when this was written. Where the "
     "cluster has none either, kubectl says that there are no matches for the kind.",
     "https://kubernetes.io/docs/reference/using-api/deprecation-guide"},
    {"kind-missing", Severity::error, "an object has no kind",
     "kubectl takes nothing without apiVersion and kind. Values of a Helm chart are none: lint "
     "what `helm template` prints.",
     kObjects},
    {"field-unknown", Severity::error, "the kind has no such field",
     "kubectl refuses it. Where its validation is off, the API server drops the field silently.",
     "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation"},
    {"field-unknown-here", Severity::warning, "the kind is not known to have such a field",
     "kubectl refuses it, unless the cluster's version of the kind is newer than the one that is "
     "known here.",
     "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation"},
    {"field-type", Severity::error, "a field has a value of another type",
     "The API server refuses it. YAML reads plain yes, no, on, off, 1 and true as no texts.",
     kObjects},
    {"field-refused", Severity::error, "the API server refuses a field",
     "The message is the API server's.", kObjects},
    {"name-invalid", Severity::error, "an object cannot have this name",
     "The API server refuses it, or its controller cannot create pods of that name.",
     "https://kubernetes.io/docs/concepts/overview/working-with-objects/names"},
});

enum RuleAt : std::size_t {
  kUnserved,
  kKindUnknownHere,
  kKindMissing,
  kUnknown,
  kUnknownHere,
  kType,
  kRefused,
  kName,
};

/// Groups that Kubernetes' own API servers have, whose fields are all known here.
bool is_own_group(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return true;
  const std::string_view group = api_version.substr(0, slash);
  return group.find('.') == std::string_view::npos ||
         (group.ends_with(".k8s.io") && !group.ends_with("x-k8s.io"));
}

/// Groups that still get new alpha versions.
bool may_be_newer(std::string_view api_version) {
  const bool grows =
      api_version.starts_with("scheduling.k8s.io/") || api_version.starts_with("resource.k8s.io/");
  return grows && api_version.find("alpha") != std::string_view::npos;
}

bool fits(const json& value, Form form) {
  switch (form) {
    case Form::text:
      return value.is_string();
    case Form::whole:
      return value.is_number_integer();
    case Form::number:
      return value.is_number();
    case Form::truth:
      return value.is_boolean();
    case Form::quantity:
      return value.is_string() || value.is_number();
    case Form::object:
    case Form::map:
      return value.is_object();
    case Form::list:
      return value.is_array();
    case Form::any:
      break;
  }
  return true;
}

std::string shortened(const json& value) {
  constexpr std::size_t kMost = 40;
  return shorten_end(valid_utf8(value.dump(-1, ' ', false, json::error_handler_t::replace)), kMost,
                     "...");
}

/// Compares an object with the fields that its kind declares.
class Fields {
 public:
  Fields(const ObjectSubject& subject, Findings& findings)
      : subject_(subject), findings_(findings) {}

  void check() {
    const auto type = FieldType::of_kind(subject_.name.kind, subject_.name.api_version);
    if (type) check(subject_.object, *type, subject_.at);
  }

 private:
  void check(const json& value, const FieldType& type, const Pointer& at) {
    if (value.is_null()) return;  // as if it were not there
    if (!fits(value, type.form())) return refuse_type(value, type.form(), at);
    switch (type.form()) {
      case Form::object:
        for (const auto& [name, member] : value.items()) {
          if (const auto field = type.field(name))
            check(member, *field, at / name);
          else
            refuse_name(name, type, at);
        }
        break;
      case Form::map:
        for (const auto& [key, member] : value.items()) check(member, type.element(), at / key);
        break;
      case Form::list:
        for (std::size_t i = 0; i < value.size(); ++i) check(value[i], type.element(), at / i);
        break;
      default:
        break;
    }
  }

  void refuse_type(const json& value, Form form, const Pointer& at) {
    std::string fix = fmt::format("write {}", name_of(form));
    std::optional<Edit> edit;
    if (form == Form::text && (value.is_number() || value.is_boolean())) {
      fix = "write it in quotes";
      edit = Edit{Edit::Kind::quote, at, {}};
    }
    findings_.add(kRules[kType], at,
                  fmt::format("expected {}, got {}", name_of(form), shortened(value)), fix,
                  std::move(edit));
  }

  void refuse_name(const std::string& name, const FieldType& type, const Pointer& at) {
    const std::vector<std::string_view> names = type.field_names();
    const auto near = nearest_name(name, names);
    const bool is_sure = is_own_group(subject_.name.api_version);
    findings_.add(kRules[is_sure ? kUnknown : kUnknownHere], at / name,
                  fmt::format("{} of {} has no field {}", subject_.name.kind,
                              subject_.name.api_version, sanitize(name)),
                  near ? fmt::format("write {}", *near) : "leave it out, or move it to its place",
                  near && is_sure
                      ? std::optional(Edit{Edit::Kind::rename, at / name, std::string(*near)})
                      : std::nullopt);
  }

  const ObjectSubject& subject_;
  Findings& findings_;
};

/// Where the field of a mistake stands, or would stand in what there is.
Pointer place_of(const ObjectSubject& subject, const std::string& field) {
  if (field.empty()) return subject.at;
  Pointer at = decode::pointer_of(subject.object, field);
  const std::string_view last = std::string_view(field).substr(field.rfind('.') + 1);
  if (!last.empty() && path_text(at) != field && last.find('[') == std::string_view::npos)
    at /= std::string(last);
  return subject.at / at;
}

/// What has another type is field-type's, where the kind's fields are known.
void check_count(const ObjectSubject& subject, Findings& findings) {
  const auto mistake = manifest::mistake_in_counts(subject.object, subject.name);
  if (!mistake) return;
  const bool is_typed = mistake->kind == manifest::CountMistake::Kind::not_whole;
  if (is_typed && FieldType::of_kind(subject.name.kind, subject.name.api_version)) return;
  findings.add(kRules[is_typed ? kType : kRefused], subject.at / mistake->at, mistake->problem,
               mistake->help);
}

}  // namespace

std::span<const Rule> object_rules() { return kRules; }

void check_object(const ObjectSubject& subject, Findings& findings) {
  if (subject.name.kind.empty()) {
    findings.add(kRules[kKindMissing], subject.at,
                 "an object without a kind is no Kubernetes object", "write apiVersion and kind");
    return;
  }
  if (const auto mistake = manifest::kind_mistake(subject.name)) {
    const bool is_kind = mistake->field == manifest::KindMistake::Field::kind;
    const bool is_sure =
        is_kind ? is_own_group(subject.name.api_version) : !may_be_newer(subject.name.api_version);
    findings.add(kRules[is_sure ? kUnserved : kKindUnknownHere],
                 subject.at / (is_kind ? "kind" : "apiVersion"), mistake->problem,
                 is_sure ? mistake->help : std::string());
  }
  Fields(subject, findings).check();
  check_count(subject, findings);
}

void check_fields(const PodSubject& pod, Findings& findings) {
  const ObjectSubject& owner = pod.owner;
  if (const auto opinion = manifest::opinion_on_fields(owner.object, owner.name, pod.made);
      opinion.mistake)
    findings.add(kRules[kRefused], place_of(owner, opinion.mistake->field),
                 opinion.mistake->message, opinion.mistake->advice);
  if (const auto mistake = manifest::mistake_in_name(owner.object, owner.name.kind))
    findings.add(kRules[kName], owner.at / "metadata" / "name", mistake->message, mistake->advice);
}

}  // namespace gpu::lint
