#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_rayservice_test {
namespace {

GenOptions ray_service() {
  GenOptions options;
  options.name = "llm";
  options.command = {"app:deployment"};
  return options;
}

std::string configuration(const Generated& made) {
  const Tree* const found = at(made.documents.back(), "spec.serveConfigV2");
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? "-" : *text;
}

}  // namespace

TEST_CASE("serveConfigV2 of a rayservice is a text of YAML") {
  const Generated service = made("rayservice", ray_service());
  REQUIRE(service.documents.size() == 1);
  CHECK(text_at(service.documents.front(), "kind") == "RayService");
  CHECK(configuration(service) ==
        "applications:\n- {name: llm, import_path: app:deployment, route_prefix: /}\n");
  CHECK(text_at(service.documents.front(), "spec.rayClusterSpec") == "-");
  CHECK(text_at(service.documents.front(), "spec.rayClusterConfig.rayVersion") == R"("2.52.0")");
  CHECK(text_at(service.documents.front(),
                "spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].ports[3]") ==
        "{name: serve, containerPort: 8000}");
  CHECK(says(service, "num_gpus"));
  CHECK(is_read_back(service.documents));
}

TEST_CASE("a module as --script goes into a ConfigMap that Python finds") {
  GenOptions options = ray_service();
  options.command.clear();
  options.script = Script{.name = "serve_llm.py", .text = "app = 1\n"};
  const Generated service = made("rayservice", options);
  REQUIRE(service.documents.size() == 2);
  CHECK(configuration(service).find("import_path: serve_llm:app,") != std::string::npos);
  CHECK(text_at(service.documents.back(),
                "spec.rayClusterConfig.workerGroupSpecs[0].template.spec.containers[0].env[0]") ==
        "{name: PYTHONPATH, value: /scripts}");
  options.command = {"serve_llm:chat"};
  CHECK(configuration(made("rayservice", options)).find("serve_llm:chat") != std::string::npos);
  CHECK(is_read_back(service.documents));
}

TEST_CASE("a configuration as --script is taken as it is, without a ConfigMap") {
  GenOptions options = ray_service();
  options.command.clear();
  options.script = Script{.name = "serve.yaml", .text = "applications:\n- name: a\n"};
  const Generated service = made("rayservice", options);
  REQUIRE(service.documents.size() == 1);
  CHECK(configuration(service) == "applications:\n- name: a\n");
  CHECK(text_at(service.documents.front(),
                "spec.rayClusterConfig.workerGroupSpecs[0].template.spec.volumes[1]") == "-");
  CHECK(says(service, "num_gpus"));
  CHECK(is_read_back(service.documents));
  options.script->text = "import_path: a\n";
  CHECK(refusal("rayservice", options) ==
        "serve.yaml is no configuration of Ray Serve: it has no `applications`");
  options.script->text = "applications: []\n";
  options.command = {"a:b"};
  CHECK(refusal("rayservice", options) == "a configuration names its applications itself");
}

TEST_CASE("a rayservice needs an application") {
  GenOptions options = ray_service();
  options.command.clear();
  CHECK(refusal("rayservice", options) == "a rayservice needs an application");
  options.command = {"python", "x.py"};
  CHECK(refusal("rayservice", options) == "a rayservice takes one import path behind --");
  for (const char* bad : {"app", ":app", "app:"}) {
    options.command = {bad};
    CHECK(refusal("rayservice", options) == "`" + std::string(bad) + "` is no import path");
  }
  options.command.clear();
  options.script = Script{.name = "run.sh", .text = "x\n"};
  CHECK(refusal("rayservice", options) == "run.sh is neither Python nor YAML");
}

TEST_CASE("names of rayservices have at most 47 characters") {
  GenOptions options = ray_service();
  options.name = std::string(48, 'a');
  CHECK(refusal("rayservice", options).find("at most 47") != std::string::npos);
}

}  // namespace gpu::manifest::test::kinds_rayservice_test
