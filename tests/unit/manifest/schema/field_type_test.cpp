#include "manifest/schema/field_type.hpp"

#include <catch2/catch.hpp>

namespace schema_field_type_test {

using namespace gpu::manifest;

using Form = FieldType::Form;

namespace {

/// The type at a path without list places: "spec.template.spec.containers".
FieldType at(std::string_view kind, std::string_view api_version, std::string_view path) {
  FieldType type = FieldType::of_kind(kind, api_version).value();
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    if (type.form() == Form::list || type.form() == Form::map) type = type.element();
    type = type.field(path.substr(0, dot)).value();
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return type;
}

}  // namespace

TEST_CASE("fields have the types that the API declares", "[manifest]") {
  CHECK(at("Job", "batch/v1", "spec.backoffLimit").form() == Form::whole);
  CHECK(at("Job", "batch/v1", "spec.suspend").form() == Form::truth);
  CHECK(at("Job", "batch/v1", "spec.template.spec.containers").form() == Form::list);
  CHECK(at("Job", "batch/v1", "spec.template.spec.containers.image").form() == Form::text);
  CHECK(at("Job", "batch/v1", "spec.template.spec.containers.resources.limits").form() ==
        Form::map);
  CHECK(at("Job", "batch/v1", "spec.template.spec.containers.resources.limits").element().form() ==
        Form::quantity);
  CHECK(at("Service", "v1", "spec.ports.targetPort").form() == Form::quantity);
  CHECK(at("RayJob", "ray.io/v1", "spec.rayClusterSpec.workerGroupSpecs.rayStartParams")
            .element()
            .form() == Form::text);
}

TEST_CASE("kinds differ in what pod templates of theirs may hold", "[manifest]") {
  const FieldType of_job = at("Job", "batch/v1", "spec.template.spec");
  const FieldType of_notebook = at("Notebook", "kubeflow.org/v1", "spec.template.spec");
  CHECK(of_job.field("resourceClaims").has_value());
  CHECK(!of_notebook.field("resourceClaims").has_value());
  CHECK(of_notebook.field("containers").has_value());
}

TEST_CASE("a kind or a version that is not in the table has no type", "[manifest]") {
  CHECK(!FieldType::of_kind("Job", "batch/v1beta1"));
  CHECK(!FieldType::of_kind("Jbo", "batch/v1"));
}

}  // namespace schema_field_type_test
