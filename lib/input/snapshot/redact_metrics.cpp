#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/ascii.hpp"
#include "input/snapshot/hardware_words.hpp"
#include "input/snapshot/metric_labels.hpp"
#include "input/snapshot/redact.hpp"
#include "input/snapshot/redact_known.hpp"

namespace gpu::input {
namespace {

using nlohmann::json;

/// A value that was hidden has to be hidden as the same again.
bool is_open_value(std::string_view value) {
  return !value.starts_with("value-") && (is_hardware_text(value) || is_hardware_name(value));
}

bool is_ip_address(std::string_view host) {
  const bool is_v6 = std::count(host.begin(), host.end(), ':') > 1;
  return is_v6 ||
         (!host.empty() && host.find('.') != std::string_view::npos &&
          std::all_of(host.begin(), host.end(), [](char c) { return is_digit(c) || c == '.'; }));
}

/// What the pseudonyms of pods begin with.
constexpr std::string_view kPodStart = "pod";

bool is_named_after_service(const json& labels) {
  const auto service = labels.find("service");
  if (service == labels.end() || !service->is_string()) return false;
  const auto& name = service->get_ref<const std::string&>();
  if (name.empty()) return false;
  const std::string start = name + "-";
  return std::ranges::any_of(labels.items(), [&start](const auto& label) {
    return metric_label(label.key()) == MetricLabel::pod && label.value().is_string() &&
           label.value().template get_ref<const std::string&>().starts_with(start);
  });
}

}  // namespace

/// A name that is a node's or a pod's is theirs; which of them is known at the end.
std::string Redactor::host(std::string_view name) {
  if (names_.is_settled())
    for (const Space space : {Space::node, Space::pod})
      if (auto shown = names_.find(space, name)) return *shown;
  return names_.of(Space::host, name);
}

/// "10.1.2.3:9400", "[fd00::1]:9400", "gpu-a1:9400": the port stays.
std::string Redactor::address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::string_view port;
  const bool has_port =
      colon != std::string_view::npos && colon + 1 < text.size() &&
      (text.starts_with('[') || text.find(':') == colon) &&
      std::all_of(text.begin() + static_cast<std::ptrdiff_t>(colon) + 1, text.end(), is_digit);
  if (has_port) {
    port = text.substr(colon);
    text = text.substr(0, colon);
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  const std::string shown = is_ip_address(text) ? names_.of(Space::address, text) : host(text);
  return shown + std::string(port);
}

/// "NAMESPACE/POD".
std::string Redactor::exporter(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return host(text);
  return names_.of(Space::ns, text.substr(0, slash)) + "/" +
         names_.of(Space::pod, text.substr(slash + 1));
}

/// Of a scrape: what was scraped, or how.
std::string Redactor::scrape_name(std::string_view name) {
  return is_known(Space::word, name) ? std::string(name) : exporter(name);
}

json Redactor::metric_labels(const json& value) {
  json result = json::object();
  for (const auto& [key, each] : value.items())
    if (const auto label = metric_label(key); label && each.is_string())
      // A label without a value is as good as none.
      if (auto shown = metric_label_value(*label, each.get_ref<const std::string&>());
          !shown.empty())
        result[key] = std::move(shown);
  // By a Service that pods are named after, the scraped one is told from the owner.
  if (is_named_after_service(value)) result["service"] = kPodStart;
  return result;
}

std::string Redactor::metric_label_value(MetricLabel label, const std::string& value) {
  if (value.empty()) return value;
  switch (label) {
    case MetricLabel::open:
      return is_open_value(value) ? value : names_.of(Space::label_value, value);
    case MetricLabel::version:
      return version(value);
    case MetricLabel::pci:
      return is_pci_address(value) ? value : names_.of(Space::label_value, value);
    case MetricLabel::host:
      return host(value);
    case MetricLabel::address:
      return address(value);
    case MetricLabel::ns:
      return names_.of(Space::ns, value);
    case MetricLabel::pod:
      return names_.of(Space::pod, value);
    case MetricLabel::container:
      return names_.of(Space::container, value);
    case MetricLabel::uid:
      return names_.of(Space::uid, value);
    case MetricLabel::device_id:
      return device_id(value);
    case MetricLabel::claim:
      return names_.of(Space::claim, value);
    case MetricLabel::driver:
      return driver(value);
    case MetricLabel::pool:
      return pool(value);
    case MetricLabel::device:
      return names_.of(Space::device, value);
    case MetricLabel::other:
      return names_.of(Space::label_value, value);
  }
  return {};
}

}  // namespace gpu::input
