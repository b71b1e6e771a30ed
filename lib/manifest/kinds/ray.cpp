#include "manifest/kinds/ray.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kGpuImage = "rayproject/ray:2.52.0-gpu";
constexpr std::string_view kCpuImage = "rayproject/ray:2.52.0";

std::string image_of(const GenOptions& options) {
  if (!options.image.empty()) return options.image;
  return std::string(options.is_cpu_only ? kCpuImage : kGpuImage);
}

/// "2.52.0" of "rayproject/ray:2.52.0-gpu"; empty where the tag does not begin with a version.
std::string version_in(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t colon = image.rfind(':');
  if (colon == std::string_view::npos || image.find('/', colon) != std::string_view::npos)
    return {};
  const std::string_view tag = image.substr(colon + 1);
  std::size_t end = 0;
  std::size_t dots = 0;
  while (end < tag.size() && (is_digit(tag[end]) || (tag[end] == '.' && dots < 2)))
    dots += tag[end++] == '.' ? 1 : 0;
  const std::string_view version = tag.substr(0, end);
  const bool is_whole = dots == 2 && is_digit(version.front()) && is_digit(version.back()) &&
                        version.find("..") == std::string_view::npos;
  return is_whole ? std::string(version) : std::string();
}

/// By --ray-version, or the image's tag. Empty where neither says it.
std::string ray_version_of(GenRequest& request) {
  const GenOptions& options = request.options;
  const std::string image = image_of(options);
  const std::string in_tag = version_in(image);
  if (options.ray_version.empty()) {
    if (in_tag.empty())
      request.note(
          fmt::format("which version of Ray {} has is not known, so rayVersion is left "
                      "out; --ray-version says it",
                      sanitize(image)));
    return in_tag;
  }
  if (version_in("ray:" + options.ray_version) != options.ray_version)
    throw Error(ErrorKind::usage,
                fmt::format("`--ray-version {}` cannot be read", sanitize(options.ray_version)),
                "for example --ray-version 2.52.0");
  if (!in_tag.empty() && in_tag != options.ray_version)
    request.warn(fmt::format("--ray-version {} is not the {} of the image's tag",
                             options.ray_version, in_tag),
                 "rayVersion has to be that of the image");
  return options.ray_version;
}

Tree ray_port(std::string_view name, int number) {
  return Tree::map({{"name", name}, {"containerPort", number}});
}

PodShape ray_pod(const GenOptions& options, const RayShape& ray) {
  PodShape shape;
  shape.usual_image = options.is_cpu_only ? kCpuImage : kGpuImage;
  shape.workload = Workload::ray;
  // Ray takes the size of its nodes from limits, so there is one of CPU, too.
  shape.cpu_limit = CpuLimit::as_requested;
  shape.env = ray.env;
  return shape;
}

PodShape head_shape(const GenOptions& options, const RayShape& ray) {
  PodShape shape = ray_pod(options, ray);
  shape.container = "ray-head";
  shape.gpus = Gpus::none;
  shape.cpu = "4";
  shape.memory = "16Gi";
  shape.shm_size = "4Gi";
  shape.ports = Tree::list(
      {ray_port("gcs-server", 6379), ray_port("dashboard", 8265), ray_port("client", 10001)});
  for (const Tree::Item& each : std::get<Tree::List>(ray.head_ports.value()))
    shape.ports.push(each.value);
  return shape;
}

PodShape worker_shape(const GenOptions& options, const RayShape& ray) {
  PodShape shape = ray_pod(options, ray);
  shape.container = "ray-worker";
  return shape;
}

Tree head_group(const PodParts& pod) {
  return Tree::map(
      {{"rayStartParams",
        Tree::map({{"num-cpus",
                    "0",
                    {"no task runs on the head",
                     "The head schedules for all others. A task that takes its memory ends the "
                     "whole cluster.",
                     ""}},
                   {"dashboard-host", "0.0.0.0"}})},
       {"template", pod.pod_template()}});
}

/// Of the workers.
Tree start_params(const PodParts& pod) {
  if (!pod.uses_claims()) return {};
  return Tree::map(
      {{"num-gpus",
        std::to_string(pod.accelerator().units),
        {"a claim is no limit, from which Ray would take the number",
         "KubeRay starts Ray with the GPUs that the limits of the container have. Devices of a "
         "ResourceClaim are not among them, so Ray would know of no GPU.",
         "ray.io/v1"}}});
}

Tree worker_group(const GenOptions& options, const PodParts& pod) {
  const std::int64_t workers = options.nodes.value_or(1);
  Tree group = Tree::map(
      {{"groupName", options.is_cpu_only ? "cpu" : "gpu"},
       {"replicas",
        workers,
        {"", "KubeRay fills in what is missing: no worker, and no upper bound.", "ray.io/v1"}},
       {"minReplicas", workers},
       {"maxReplicas", workers},
       {"rayStartParams",
        start_params(pod),
        {"", "Ray's num-cpus, num-gpus and memory follow from the limits of the container.", ""}}});
  group.set("template", pod.pod_template());
  return group;
}

}  // namespace

Tree ray_cluster_spec(GenRequest& request, const RayShape& shape) {
  const GenOptions& options = request.options;
  Tree spec;
  if (std::string version = ray_version_of(request); !version.empty())
    spec.set("rayVersion", std::move(version),
             {"", "It has to be the version in the image: KubeRay starts Ray by it.", ""});
  const PodParts head(request, head_shape(options, shape));
  const PodParts workers(request, worker_shape(options, shape));
  spec.set("headGroupSpec", head_group(head));
  spec.set("workerGroupSpecs", Tree::list({worker_group(options, workers)}));
  return spec;
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return is_letter(c) || is_digit(c) ||
             std::string_view("-_./:=,@%+").find(c) != std::string_view::npos;
    });
    if (!line.empty()) line += ' ';
    if (is_plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace gpu::manifest
