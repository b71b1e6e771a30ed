#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/ascii.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::checkup {
namespace {

constexpr std::string_view kCudaMajor = "nvidia.com/cuda.runtime-version.major";
constexpr std::string_view kOldCudaMajor = "nvidia.com/cuda.runtime.major";

/// An image's name without its registry, and its tag.
struct NameAndTag {
  std::string_view name;
  std::string_view tag;
};

NameAndTag parts_of(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  if (colon == std::string_view::npos || (slash != std::string_view::npos && colon < slash))
    return {};
  return {image.substr(0, colon), image.substr(colon + 1)};
}

/// The whole number that `text` begins with, and that a dot follows.
std::optional<std::int64_t> number_before_dot(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot > 3) return std::nullopt;
  return whole_number(text.substr(0, dot));
}

/// 13 for nvcr.io/nvidia/pytorch:25.08-py3. Source: the release notes of NVIDIA's containers: the
/// monthly ones have CUDA 12 from 23.01 on, and 13 from 25.08 on.
std::optional<std::int64_t> cuda_of_monthly(const NameAndTag& image) {
  if (!image.name.starts_with("nvcr.io/nvidia/")) return std::nullopt;
  static constexpr std::array<std::string_view, 3> kNames = {"pytorch", "tensorflow",
                                                             "tritonserver"};
  const std::string_view last = image.name.substr(image.name.rfind('/') + 1);
  if (std::find(kNames.begin(), kNames.end(), last) == kNames.end()) return std::nullopt;
  const auto year = number_before_dot(image.tag);
  if (!year || *year < 23 || image.tag.size() < 5) return std::nullopt;
  const auto month = whole_number(image.tag.substr(3, 2));
  if (!month || *month < 1 || *month > 12) return std::nullopt;
  return *year * 100 + *month >= 2508 ? 13 : 12;
}

/// The major release of CUDA that an image is made with, where its name tells it for certain.
std::optional<std::int64_t> cuda_of(std::string_view text) {
  const NameAndTag image = parts_of(text);
  if (image.tag.empty()) return std::nullopt;
  const bool is_cuda = image.name == "nvidia/cuda" || image.name.ends_with("/nvidia/cuda");
  if (is_cuda) return number_before_dot(image.tag);
  return cuda_of_monthly(image);
}

/// The newest major release of CUDA that the driver of a node knows.
std::optional<std::int64_t> cuda_of(const Node& node) {
  for (const std::string_view label : {kCudaMajor, kOldCudaMajor})
    if (const auto number = whole_number(value_of(node.labels, label))) return number;
  return std::nullopt;
}

struct NewerImage {
  std::string pod;  ///< the first
  std::set<std::string> nodes;
};

}  // namespace

CheckResults check_images(const CheckContext& context) {
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, NewerImage> newer;
  std::size_t compared = 0;
  for (const GpuNode& node : context.nodes) {
    const auto driver = cuda_of(node.node());
    if (!driver) continue;
    for (const scheduler::BoundPod& bound : node.state->pods) {
      if (!is_gpu_pod(*bound.pod)) continue;
      for (const Container& container : bound.pod->containers) {
        const auto image = cuda_of(container.image);
        if (!image) continue;
        ++compared;
        if (*image <= *driver) continue;
        NewerImage& found = newer[{container.image, *image, *driver}];
        if (found.pod.empty()) found.pod = bound.pod->ns + "/" + bound.pod->name;
        found.nodes.insert(node.node().name);
      }
    }
  }
  CheckResults results;
  for (const auto& [key, found] : newer) {
    const auto& [image, cuda, driver] = key;
    const std::vector<std::string> nodes(found.nodes.begin(), found.nodes.end());
    results.push_back(
        {.state = CheckState::warning,
         .says = fmt::format("{} runs {}, which is of CUDA {}, on {}, whose driver knows CUDA {}",
                             found.pod, image, cuda, names_text(nodes), driver),
         .help = "it works only if the image brings cuda-compat for that driver: upgrade the "
                 "driver, or take an image of CUDA " +
                 std::to_string(driver),
         .command = "kubectl get nodes -L nvidia.com/cuda.runtime-version.full",
         .nodes = nodes});
  }
  if (!results.empty()) return results;
  if (compared == 0)
    return {
        {.state = CheckState::skipped,
         .says =
             "no image in use names its CUDA release on a node whose labels show its driver's"}};
  return {{.says = "no image that tells its CUDA release is newer than its node's driver"}};
}

}  // namespace gpu::checkup
