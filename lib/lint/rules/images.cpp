#include <fmt/format.h>

#include <array>

#include "base/ascii.hpp"
#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"cuda-image-tag", Severity::warning, "the CUDA image has no such tag",
     "NVIDIA tags its CUDA images with three numbers, as 12.1.1-devel-ubuntu22.04, and has no tag "
     "latest. With another tag the pod stays in ImagePullBackOff. Which tags exist is not "
     "checked: some were taken down.",
     "https://github.com/NVIDIA/nvidia-docker/issues/1735"},
    {"image-latest", Severity::advice, "an image is not pinned",
     "The tag latest, and no tag, name another image tomorrow; each start queries the registry. "
     "Write "
     "a version, or better a digest.",
     "https://kubernetes.io/docs/concepts/containers/images/#updating-images"},
});

enum RuleAt : std::size_t { kCudaTag, kLatest };

struct ImageName {
  std::string_view repository;  ///< "docker.io/nvidia/cuda"
  std::string_view tag;         ///< empty: none
  bool has_digest = false;
};

ImageName name_of_image(std::string_view image) {
  ImageName name;
  if (const std::size_t at = image.find('@'); at != std::string_view::npos) {
    name.has_digest = true;
    image = image.substr(0, at);
  }
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.rfind(':');
  const bool has_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  name.repository = image.substr(0, has_tag ? colon : image.size());
  if (has_tag) name.tag = image.substr(colon + 1);
  return name;
}

/// "12.1" of "12.1-devel-ubuntu22.04": how many numbers it begins with, and the rest.
std::size_t numbers_in_front(std::string_view tag) {
  std::size_t numbers = 0;
  while (!tag.empty() && is_digit(tag.front())) {
    ++numbers;
    tag.remove_prefix(std::min(tag.find_first_not_of("0123456789"), tag.size()));
    if (!tag.starts_with('.')) break;
    tag.remove_prefix(1);
  }
  return numbers;
}

bool is_cuda(std::string_view repository) {
  return repository == "nvidia/cuda" || repository.ends_with("/nvidia/cuda");
}

}  // namespace

std::span<const Rule> image_rules() { return kRules; }

void check_images(const PodSubject& pod, Findings& findings) {
  const bool has_gpus = gpus_of(pod) > 0;
  for_each_container(pod, [&](const ContainerSubject& each) {
    const std::string_view image = text_at(each.container, "/image");
    if (image.empty()) return;
    const ImageName name = name_of_image(image);
    const Pointer at = each.at / "image";
    if (is_cuda(name.repository) && !name.has_digest) {
      const std::size_t numbers = numbers_in_front(name.tag);
      if (name.tag.empty() || name.tag == "latest")
        return findings.add(kRules[kCudaTag], at,
                            "nvidia/cuda has no tag latest, and one without a tag is latest",
                            "write a tag of three numbers, as 12.6.3-base-ubuntu24.04");
      if (numbers > 0 && numbers < 3)
        return findings.add(
            kRules[kCudaTag], at,
            fmt::format("nvidia/cuda has no tag {}: its tags have three numbers", name.tag),
            "write the third number, as 12.1.1 instead of 12.1");
    }
    if (has_gpus && !name.has_digest && (name.tag.empty() || name.tag == "latest"))
      findings.add(kRules[kLatest], at, fmt::format("{} is not pinned to a version", image),
                   "write a version as its tag, or a digest");
  });
}

}  // namespace gpu::lint
