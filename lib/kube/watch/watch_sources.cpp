#include "kube/watch/watch_sources.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "decode/objects/device_class.hpp"
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/resource_claim.hpp"
#include "decode/objects/resource_slice.hpp"
#include "kube/read/gpu_devices.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::kube {
namespace {

/// Pods that failed before they started wait for their successors.
std::string_view pods_wanted(const Needs& needs) {
  if (needs.finished_pods) return "";
  return needs.waiting_pods ? "status.phase!=Succeeded"
                            : "status.phase!=Succeeded,status.phase!=Failed";
}

std::string accept_of(const Needs& needs) {
  return needs.wire == WireChoice::json
             ? "application/json"
             : "application/vnd.kubernetes.protobuf, application/json;q=0.9";
}

/// Which objects a list told of. The first list finds nothing that could have gone.
struct Listed {
  LiveSnapshot::Keys keys;
  bool is_first = true;
  bool has_begun = false;

  void begin() {
    is_first = !std::exchange(has_begun, true);
    keys.clear();
  }
  void add(std::string key) {
    if (!is_first) keys.insert(std::move(key));
  }
};

void note(WatchTarget& target, Changed changed) {
  if (changed == Changed::yes) target.changed = Changed::yes;
}

void note_exporter(WatchTarget& target, const Pod& pod) {
  const std::string key = key_of(pod.ns, pod.name);
  if (auto exporter = telemetry::exporter_of(pod))
    target.exporters[key] = std::move(*exporter);
  else
    target.exporters.erase(key);
}

/// What a kind of object needs to be followed.
template <class Object>
struct Followed {
  std::function<Object(const decode::WatchEvent&)> read;
  std::function<std::string(const Object&)> key;
  std::function<Changed(Object&&)> set;
  std::function<Changed(const Object&)> remove;
  std::function<Changed(const LiveSnapshot::Keys&)> retain;
};

/// Joins list items and events into one stream of what is there and what is gone.
template <class Object>
ReflectorSource source_of(WatchTarget& target, Followed<Object> of,
                          std::function<ItemReader(std::function<void(Object&&)>)> reader_of) {
  const auto followed = std::make_shared<Followed<Object>>(std::move(of));
  const auto listed = std::make_shared<Listed>();
  ReflectorSource source;
  source.make_reader = [=, &target] {
    return reader_of([=, &target](Object&& object) {
      listed->add(followed->key(object));
      note(target, followed->set(std::move(object)));
    });
  };
  source.on_list_begin = [=] { listed->begin(); };
  source.on_list_end = [=, &target] {
    if (!listed->is_first) note(target, followed->retain(listed->keys));
    listed->keys = {};
    target.changed = Changed::yes;
  };
  source.on_event = [=, &target](const decode::WatchEvent& event) {
    Object object = followed->read(event);
    note(target, event.type == decode::WatchEventType::deleted ? followed->remove(object)
                                                               : followed->set(std::move(object)));
  };
  return source;
}

/// A kind of resource.k8s.io: JSON only.
template <class Object>
ReflectorSource dra_source(WatchTarget& target, std::string_view version, const std::string& plural,
                           std::string list_kind, Object (*read)(const nlohmann::json&),
                           Followed<Object> of) {
  of.read = [read](const decode::WatchEvent& event) {
    return event.object == nullptr ? Object{} : read(*event.object);
  };
  ReflectorSource source = source_of<Object>(
      target, std::move(of), [read, list_kind](std::function<void(Object&&)> on_object) {
        return ItemReader::of_objects(
            list_kind, [=](const nlohmann::json& object) { on_object(read(object)); });
      });
  source.path = "/apis/resource.k8s.io/" + std::string(version) + "/" + plural;
  source.accept = "application/json";
  return source;
}

}  // namespace

ReflectorSource node_source(WatchTarget& target, const Needs& needs) {
  LiveSnapshot& live = target.live;
  const std::vector<std::string> names = needs.node_names;
  const auto is_wanted = [names](const Node& node) {
    return names.empty() || std::find(names.begin(), names.end(), node.name) != names.end();
  };
  Followed<Node> of;
  of.read = [](const decode::WatchEvent& event) {
    return event.object == nullptr ? decode::node_from_protobuf(event.message)
                                   : decode::node_from_json(*event.object);
  };
  of.key = [](const Node& node) { return node.name; };
  of.set = [&, is_wanted](Node&& node) {
    ++target.progress.nodes;
    return is_wanted(node) ? live.set(std::move(node)) : Changed::no;
  };
  of.remove = [&](const Node& node) { return live.remove_node(node.name); };
  of.retain = [&](const LiveSnapshot::Keys& keys) { return live.retain_nodes(keys); };
  ReflectorSource source = source_of<Node>(target, std::move(of), &ItemReader::of_nodes);
  source.path = "/api/v1/nodes";
  if (names.size() == 1)
    source.query.emplace_back("fieldSelector", "metadata.name=" + field_value(names.front()));
  source.query.emplace_back("labelSelector", needs.node_selector);
  source.accept = accept_of(needs);
  return source;
}

ReflectorSource pod_source(WatchTarget& target, const Needs& needs, const std::string& ns) {
  LiveSnapshot& live = target.live;
  Followed<Pod> of;
  of.read = [](const decode::WatchEvent& event) {
    return event.object == nullptr ? decode::pod_from_protobuf(event.message)
                                   : decode::pod_from_json(*event.object);
  };
  of.key = [](const Pod& pod) { return key_of(pod.ns, pod.name); };
  const bool follows_exporters = needs.metrics.choice != MetricsChoice::none;
  of.set = [&, follows_exporters](Pod&& pod) {
    ++target.progress.pods;
    if (follows_exporters) note_exporter(target, pod);
    return live.set(pod);
  };
  of.remove = [&](const Pod& pod) {
    target.exporters.erase(key_of(pod.ns, pod.name));
    return live.remove_pod(pod.ns, pod.name);
  };
  const std::string prefix = ns.empty() ? "" : ns + "/";
  of.retain = [&, prefix](const LiveSnapshot::Keys& keys) {
    std::erase_if(target.exporters, [&](const auto& each) {
      return each.first.starts_with(prefix) && !keys.contains(each.first);
    });
    return live.retain_pods(keys, prefix);
  };
  ReflectorSource source = source_of<Pod>(target, std::move(of), &ItemReader::of_pods);
  source.path = ns.empty() ? "/api/v1/pods" : "/api/v1/namespaces/" + percent_encoded(ns) + "/pods";
  source.query.emplace_back("fieldSelector", pods_wanted(needs));
  source.accept = accept_of(needs);
  return source;
}

ReflectorSource slice_source(WatchTarget& target, std::string_view version) {
  LiveSnapshot& live = target.live;
  Followed<ResourceSlice> of;
  of.key = [](const ResourceSlice& slice) { return slice.name; };
  of.set = [&](ResourceSlice&& slice) {
    return is_gpu_driver(slice.driver) ? live.set(std::move(slice)) : live.remove_slice(slice.name);
  };
  of.remove = [&](const ResourceSlice& slice) { return live.remove_slice(slice.name); };
  of.retain = [&](const LiveSnapshot::Keys& keys) { return live.retain_slices(keys); };
  return dra_source<ResourceSlice>(target, version, "resourceslices", "ResourceSliceList",
                                   &decode::resource_slice_from_json, std::move(of));
}

ReflectorSource claim_source(WatchTarget& target, std::string_view version, const std::string& ns) {
  LiveSnapshot& live = target.live;
  Followed<ResourceClaim> of;
  of.key = [](const ResourceClaim& claim) { return key_of(claim.ns, claim.name); };
  of.set = [&](ResourceClaim&& claim) {
    return concerns_gpus(claim) ? live.set(std::move(claim))
                                : live.remove_claim(claim.ns, claim.name);
  };
  of.remove = [&](const ResourceClaim& claim) { return live.remove_claim(claim.ns, claim.name); };
  of.retain = [&](const LiveSnapshot::Keys& keys) { return live.retain_claims(keys); };
  const std::string scope = ns.empty() ? "" : "namespaces/" + percent_encoded(ns) + "/";
  return dra_source<ResourceClaim>(target, version, scope + "resourceclaims", "ResourceClaimList",
                                   &decode::resource_claim_from_json, std::move(of));
}

ReflectorSource class_source(WatchTarget& target, std::string_view version) {
  LiveSnapshot& live = target.live;
  Followed<DeviceClass> of;
  of.key = [](const DeviceClass& one) { return one.name; };
  of.set = [&](DeviceClass&& one) { return live.set(std::move(one)); };
  of.remove = [&](const DeviceClass& one) { return live.remove_class(one.name); };
  of.retain = [&](const LiveSnapshot::Keys& keys) { return live.retain_classes(keys); };
  return dra_source<DeviceClass>(target, version, "deviceclasses", "DeviceClassList",
                                 &decode::device_class_from_json, std::move(of));
}

}  // namespace gpu::kube
