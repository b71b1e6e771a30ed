#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/ray.hpp"
#include "manifest/tree/yaml.hpp"

namespace gpu::manifest {
namespace {

constexpr int kServePort = 8000;

Error no_application(std::string message) {
  return {ErrorKind::usage, std::move(message),
          "an import path: -- app:deployment, a module: --script app.py, or a configuration of Ray "
          "Serve: --script serve.yaml"};
}

bool is_configuration(const Script& script) {
  return script.name.ends_with(".yaml") || script.name.ends_with(".yml");
}

/// Checks that it is a configuration of several applications, which is what serveConfigV2 takes.
const std::string& checked_configuration(const Script& script) {
  const std::vector<std::string_view> lines = lines_of(script.text);
  const bool is_v2 = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.starts_with("applications:");
  });
  if (!is_v2)
    throw Error(ErrorKind::usage,
                fmt::format("{} is no configuration of Ray Serve: it has no `applications`",
                            sanitize(script.name)),
                "write one with: serve build app:deployment -o serve.yaml");
  return script.text;
}

/// "app:deployment": of the words, or the variable `app` of a script.
std::string import_path(const GenOptions& options) {
  const std::vector<std::string>& words = options.command;
  if (words.size() > 1 || (words.empty() && !options.script))
    throw no_application(words.empty() ? "a rayservice needs an application"
                                       : "a rayservice takes one import path behind --");
  if (!words.empty()) {
    const std::string& path = words.front();
    const std::size_t colon = path.find(':');
    if (colon == 0 || colon == std::string::npos || colon + 1 == path.size())
      throw no_application(fmt::format("`{}` is no import path", sanitize(path)));
    return path;
  }
  const std::string& name = options.script->name;
  if (!name.ends_with(".py"))
    throw no_application(fmt::format("{} is neither Python nor YAML", sanitize(name)));
  return name.substr(0, name.size() - 3) + ":app";
}

std::string made_configuration(const GenOptions& options) {
  return yaml_of(
      {Tree::map({{"applications", Tree::list({Tree::map({{"name", options.name},
                                                          {"import_path", import_path(options)},
                                                          {"route_prefix", "/"}})})}})});
}

RayShape serving_shape(const GenRequest& request) {
  RayShape shape;
  shape.head_ports = Tree::list({Tree::map({{"name", "serve"}, {"containerPort", kServePort}})});
  if (request.options.script) {
    const std::string path = script_path(request);
    shape.env = Tree::list(
        {Tree::map({{"name", "PYTHONPATH"}, {"value", path.substr(0, path.rfind('/'))}})});
  }
  return shape;
}

Tree serve_spec(GenRequest& request, std::string configuration) {
  Tree spec;
  spec.set("serveConfigV2", std::move(configuration),
           {"", "A text in YAML, not a map: KubeRay hands it to Ray Serve as it is.", "ray.io/v1"});
  spec.set("rayClusterConfig", ray_cluster_spec(request, serving_shape(request)));
  if (!request.options.is_cpu_only)
    request.note(
        "a deployment of Ray Serve gets a GPU only where it requests one: "
        "ray_actor_options={\"num_gpus\": 1}");
  request.note(
      "a change of the cluster starts a second one beside the first, which needs as many GPUs "
      "again");
  return spec;
}

Documents make_ray_service(GenRequest& request) {
  const GenOptions& options = request.options;
  Tree service =
      object_of("ray.io/v1", "RayService", metadata_of(request, options.name, app_labels(request)));
  if (!options.script || !is_configuration(*options.script)) {
    service.set("spec", serve_spec(request, made_configuration(options)));
    return {std::move(service)};
  }
  if (!options.command.empty())
    throw no_application("a configuration names its applications itself");
  // The configuration stands in the object, so no ConfigMap carries it.
  GenOptions without = options;
  without.script.reset();
  GenRequest inner{.options = without, .facts = request.facts, .notes = std::move(request.notes)};
  service.set("spec", serve_spec(inner, checked_configuration(*options.script)));
  request.notes = std::move(inner.notes);
  request.before = std::move(inner.before);
  return {std::move(service)};
}

}  // namespace

const GenKind kRayServiceKind = {
    .word = "rayservice",
    .kind = "RayService",
    .group = "ray.io",
    .summary = "an application of Ray Serve on a Ray cluster with GPUs",
    .example = "--gpu-model L4 --script app.py",
    .install = "KubeRay",
    .name = {.form = NameForm::dns_1035, .most = 47, .why = "KubeRay names its cluster after it"},
    .options =
        kPodOptions | OptionSet{Option::script, Option::nodes, Option::dra, Option::ray_version},
    .make = make_ray_service,
    .meanings =
        {{"--gpus", "GPUs of each worker; default 1"},
         {"--nodes", "workers; default 1"},
         {"--cpu", "CPUs of each worker; default: its share of the node"},
         {"--memory", "memory of each worker; default: its share of the node"},
         {"--script",
          "app.py, which goes into a ConfigMap, or serve.yaml, a configuration of Ray Serve"}},
};

}  // namespace gpu::manifest
