#include <fmt/format.h>

#include "lint/rules/training_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

void report_field(const Pointer& at, std::string_view field, std::string fix, Findings& findings) {
  findings.add(rule(TrainingRule::notebook_field), at,
               fmt::format("a Notebook does not know {}", field), std::move(fix));
}

void check_container(const ContainerSubject& each, Findings& findings) {
  if (!value_at(each.container, Pointer("/resources/claims")).is_null())
    findings.add(rule(TrainingRule::claims), each.at / "resources" / "claims",
                 fmt::format("container {} of the Notebook uses a claim", each.name()),
                 "write nvidia.com/gpu under limits");
  if (each.is_init && each.container.contains("restartPolicy"))
    report_field(each.at / "restartPolicy", "restartPolicy of an init container",
                 "list it under containers", findings);
  const json& env = list_at(each.container, "/env");
  for (std::size_t i = 0; i < env.size(); ++i) {
    if (text_at(env[i], "/name") != "NB_PREFIX") continue;
    const Pointer at = each.at / "env" / i;
    findings.add(rule(TrainingRule::prefix), at, "NB_PREFIX is set, and the controller sets it",
                 "leave it out", Edit{Edit::Kind::remove, at, {}});
  }
}

}  // namespace

void check_notebook(const ObjectSubject& object, Findings& findings) {
  const char* const spec_at = "/spec/template/spec";
  const json& spec = object.value(spec_at);
  const Pointer at = object.in_document(spec_at);
  if (!value_at(spec, Pointer("/resourceClaims")).is_null())
    findings.add(rule(TrainingRule::claims), at / "resourceClaims",
                 "the pod of the Notebook has resourceClaims", "write nvidia.com/gpu under limits");
  if (!value_at(spec, Pointer("/schedulingGates")).is_null())
    report_field(at / "schedulingGates", "schedulingGates", "leave it out", findings);
  if (!object.value("/spec/template/metadata").is_null())
    report_field(object.in_document("/spec/template/metadata"), "metadata of its template",
                 "write labels and annotations in metadata of the Notebook", findings);
  for_each_container_in(object, spec, at,
                        [&](const ContainerSubject& each) { check_container(each, findings); });
}

}  // namespace gpu::lint
