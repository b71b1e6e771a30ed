#include "decode/objects/resource_slice.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/objects/selector.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/json_fields.hpp"
#include "decode/wire/qualified_name.hpp"

namespace gpu::decode {
namespace {

struct Attribute {
  std::string value;
  AttributeType type = AttributeType::string;
};

/// The one member that an attribute has; nothing for a list of values.
std::optional<Attribute> attribute_in(const JsonObject& attribute) {
  if (const auto number = attribute.long_number("int"))
    return Attribute{std::to_string(*number), AttributeType::integer};
  if (attribute.has("bool"))
    return Attribute{attribute.flag("bool") ? "true" : "false", AttributeType::boolean};
  if (attribute.has("string")) return Attribute{attribute.text("string")};
  if (attribute.has("version")) return Attribute{attribute.text("version"), AttributeType::version};
  return std::nullopt;
}

void read_attributes(Device& device, const JsonObject& facts, std::string_view driver) {
  facts.each_member("attributes", [&](std::string_view name, const JsonObject& object) {
    auto attribute = attribute_in(object);
    if (!attribute) {
      // With a type and no value it is there, and nobody reads it.
      device.attribute_types.set(name, AttributeType::string);
      return;
    }
    const std::string_view own = without_domain(name, driver);
    device.attributes.set(own, std::move(attribute->value));
    if (attribute->type != AttributeType::string) device.attribute_types.set(own, attribute->type);
  });
}

NodeSelector nodes_in(const JsonObject& object) {
  const auto selector = object.object("nodeSelector");
  return selector ? node_selector_from_json(*selector) : NodeSelector{};
}

bool has_entries(const JsonObject& object, std::string_view list) {
  return !object.texts(list).empty();
}

std::vector<CounterUse> counters_of(const JsonObject& object, std::string_view list,
                                    std::string_view name) {
  std::vector<CounterUse> counters;
  object.each(list, [&](const JsonObject& set) {
    counters.push_back({set.text(name), set.values("counters")});
  });
  return counters;
}

void read_capacity(Device& device, const JsonObject& facts, std::string_view driver) {
  for (const auto& [name, amount] : facts.values("capacity"))
    device.capacity.set(without_domain(name, driver), amount);
  facts.each_member("capacity", [&](std::string_view name, const JsonObject& capacity) {
    const auto policy = capacity.object("requestPolicy");
    const auto amount = policy ? policy->quantity("default") : std::nullopt;
    if (amount) device.default_request.set(without_domain(name, driver), *amount);
  });
}

Device device_from_json(const JsonObject& object, std::string_view driver) {
  Device device{.name = object.text("name")};
  const JsonObject facts = object.object("basic").value_or(object);
  read_attributes(device, facts, driver);
  read_capacity(device, facts, driver);
  device.consumes = counters_of(facts, "consumesCounters", "counterSet");
  facts.each("taints",
             [&](const JsonObject& taint) { device.taints.push_back(taint_from_json(taint)); });
  device.allow_multiple = facts.flag("allowMultipleAllocations");
  device.node_name = facts.text("nodeName");
  device.is_on_all_nodes = facts.flag("allNodes");
  device.is_on_many_nodes = device.is_on_all_nodes || facts.has("nodeSelector");
  device.node_selector = nodes_in(facts);
  device.has_binding_conditions = has_entries(facts, "bindingConditions");
  return device;
}

void read_spec(ResourceSlice& slice, const JsonObject& spec) {
  slice.driver = spec.text("driver");
  if (const auto pool = spec.object("pool")) {
    slice.pool = pool->text("name");
    slice.generation = pool->long_number("generation").value_or(0);
    slice.slice_count = pool->long_number("resourceSliceCount").value_or(0);
  }
  slice.node_name = spec.text("nodeName");
  slice.is_on_all_nodes = spec.flag("allNodes");
  slice.is_on_many_nodes = slice.is_on_all_nodes || spec.has("nodeSelector");
  slice.selects_per_device = spec.flag("perDeviceNodeSelection");
  slice.node_selector = nodes_in(spec);
  spec.each("devices", [&](const JsonObject& device) {
    slice.devices.push_back(device_from_json(device, slice.driver));
  });
  slice.shared_counters = counters_of(spec, "sharedCounters", "name");
}

}  // namespace

ResourceSlice resource_slice_from_json(const nlohmann::json& object) {
  ResourceSlice slice;
  naming_object("ResourceSlice", {}, slice.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) slice.name = metadata->text("name");
    if (const auto spec = root.object("spec")) read_spec(slice, *spec);
  });
  return slice;
}

}  // namespace gpu::decode
