#include "telemetry/exporters/typed_exporters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "decode/objects/pod.hpp"
#include "decode/wire/json_item.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::telemetry {
namespace {

using nlohmann::json;

std::string name_of(const Exporter& exporter) { return exporter.ns + "/" + exporter.pod; }

std::string pods_path(const Exporter& exporter) {
  return "/api/v1/namespaces/" + kube::percent_encoded(exporter.ns) + "/pods";
}

void add_gap(kube::CollectContext& reading, std::string what, std::string why, std::string help) {
  reading.snapshot().gaps.push_back(
      {.what = std::move(what), .why = std::move(why), .help = std::move(help)});
}

/// The names in a list of pods; some of them, where there are many.
std::vector<std::string> pod_names(kube::CollectContext& reading, const Exporter& exporter) {
  // Of each pod the name alone is wanted.
  const kube::Request request{
      .path = kube::query_path(pods_path(exporter), {{"limit", "500"}}),
      .accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
      .deadline = reading.needs().metrics.deadline};
  const kube::Reply reply = reading.client().fetch(request);
  std::vector<std::string> names;
  if (!reply.ok()) return names;
  const json list = json::parse(reply.body, nullptr, false);
  if (!list.is_object()) return names;
  const json items = list.value("items", json::array());
  for (const json& item : items) {
    const json::json_pointer at("/metadata/name");
    if (item.is_object() && item.contains(at) && item.at(at).is_string())
      names.push_back(item.at(at).get<std::string>());
  }
  return names;
}

void tell_of_missing(kube::CollectContext& reading, const Exporter& exporter,
                     const std::string& said) {
  const std::vector<std::string> names = pod_names(reading, exporter);
  const std::vector<std::string_view> choices(names.begin(), names.end());
  std::string help = "see which pods there are\nkubectl get pods -n " + shell_quoted(exporter.ns);
  if (const auto nearest = nearest_name(exporter.pod, choices))
    help = fmt::format("a similar one is {}/{}", exporter.ns, *nearest);
  add_gap(reading, fmt::format("the exporter {} was not found", name_of(exporter)), said,
          std::move(help));
}

/// The proxy knows no names of ports. False where the pod has none of that name.
bool find_port(Exporter& exporter, const Pod& pod) {
  if (std::all_of(exporter.port.begin(), exporter.port.end(), is_digit)) return true;
  for (const Container& container : pod.containers) {
    for (const ContainerPort& port : container.ports) {
      if (port.name != exporter.port) continue;
      exporter.port = std::to_string(port.port);
      return true;
    }
  }
  return false;
}

void tell_of_no_port(kube::CollectContext& reading, const Exporter& exporter, const Pod& pod) {
  std::string ports;
  for (const Container& container : pod.containers)
    for (const ContainerPort& port : container.ports)
      ports += fmt::format("{}{}{}", ports.empty() ? "" : ", ", port.port,
                           port.name.empty() ? "" : " (" + port.name + ")");
  add_gap(reading, fmt::format("the exporter {} has no port {}", name_of(exporter), exporter.port),
          ports.empty() ? "the pod names no ports: give a number" : "its ports are " + ports, "");
}

/// What the pod of `exporter` says of it; false where it cannot be read.
bool learn(Exporter& exporter, const kube::Reply& reply, kube::CollectContext& reading) {
  if (reply.status == 404) {
    const Error error = error_of(reply, reading.client().connection());
    tell_of_missing(reading, exporter, error.message());
    return false;
  }
  if (!reply.ok()) {
    const Error error = error_of(reply, reading.client().connection());
    add_gap(reading,
            "the node of the exporter " + name_of(exporter) +
                " is not known, so its GPUs may not be found",
            error.message(), error.help());
    return true;
  }
  const Pod pod = decode::pod_from_json(decode::json_item(reply.body));
  exporter.node = pod.node_name;
  exporter.ip = pod.ip;
  exporter.is_ready = is_answering(pod);
  if (find_port(exporter, pod)) return true;
  tell_of_no_port(reading, exporter, pod);
  return false;
}

}  // namespace

std::vector<Exporter> typed_exporters(kube::CollectContext& reading) {
  std::vector<Exporter> typed;
  std::vector<kube::Request> requests;
  for (const std::string& text : reading.needs().metrics.exporters) {
    typed.push_back(exporter_typed(text));
    requests.emplace_back().path =
        pods_path(typed.back()) + "/" + kube::percent_encoded(typed.back().pod);
  }
  const std::vector<kube::Reply> replies = reading.client().fetch(requests);
  std::vector<Exporter> there;
  for (std::size_t i = 0; i < typed.size(); ++i)
    if (learn(typed[i], replies[i], reading)) there.push_back(std::move(typed[i]));
  return there;
}

}  // namespace gpu::telemetry
