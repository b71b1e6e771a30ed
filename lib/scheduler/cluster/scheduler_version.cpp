#include "scheduler/cluster/scheduler_version.hpp"

#include <charconv>

namespace gpu::scheduler {
namespace {

/// The number at the start of `text`, which is taken off.
std::optional<int> leading_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// The tag of an image of kube-scheduler: "v1.31.2" of "registry.k8s.io/kube-scheduler:v1.31.2".
std::string_view scheduler_tag(std::string_view image) {
  constexpr std::string_view kName = "kube-scheduler:";
  image = image.substr(0, image.find('@'));
  const std::size_t at = image.rfind(kName);
  if (at == std::string_view::npos || (at > 0 && image[at - 1] != '/')) return {};
  return image.substr(at + kName.size());
}

/// That of all its pods; empty where they differ, as during an upgrade.
std::string_view version_of_images(const Snapshot& snapshot) {
  std::string_view found;
  for (const Pod& pod : snapshot.pods) {
    if (pod.ns != "kube-system" || !pod.name.starts_with("kube-scheduler") || is_finished(pod))
      continue;
    for (const Container& container : pod.containers) {
      const std::string_view tag = scheduler_tag(container.image);
      if (!parse_version(tag)) continue;
      if (!found.empty() && tag != found) return {};
      found = tag;
    }
  }
  return found;
}

std::string_view newest_kubelet(const Snapshot& snapshot) {
  std::string_view newest;
  Version its;
  for (const Node& node : snapshot.nodes) {
    const std::optional<Version> version = parse_version(node.kubelet_version);
    if (!version || *version <= its) continue;
    newest = node.kubelet_version;
    its = *version;
  }
  return newest;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto major = leading_number(text);
  if (!major || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto minor = leading_number(text);
  if (!minor) return std::nullopt;
  Version version{*major, *minor, 0};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    version.patch = leading_number(text).value_or(0);
  }
  return version;
}

SchedulerVersion scheduler_version(const Snapshot& snapshot) {
  if (const std::string_view image = version_of_images(snapshot); !image.empty())
    return {std::string(image), VersionSource::scheduler};
  if (parse_version(snapshot.server_version))
    return {snapshot.server_version, VersionSource::server};
  if (const std::string_view kubelet = newest_kubelet(snapshot); !kubelet.empty())
    return {std::string(kubelet), VersionSource::kubelets};
  return {};
}

}  // namespace gpu::scheduler
