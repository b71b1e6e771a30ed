#include "input/snapshot/redact.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/ascii.hpp"
#include "input/snapshot/amounts.hpp"
#include "input/snapshot/hardware_words.hpp"
#include "input/snapshot/redact_known.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::input {
namespace {

using nlohmann::json;

std::string text_in(const json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Attributes whose text names one device, and no model.
bool is_identity(std::string_view attribute) {
  const std::string name = lower_case(attribute);
  return name.ends_with("uuid") || name.find("serial") != std::string::npos;
}

/// Registers of cards hold their memory, and some values are seconds or nanoseconds since 1970.
std::size_t digits_of_annotation(std::string_view key) {
  constexpr std::size_t kTime = 19;
  if (key.ends_with("-time")) return kTime;
  const bool has_memory = key.find("regist") != std::string_view::npos ||
                          key.find("devices") != std::string_view::npos ||
                          key.find("mem") != std::string_view::npos;
  return has_memory ? kMemoryNumber : kShortNumber;
}

std::string_view bare(std::string_view qualified) {
  return qualified.substr(qualified.find('/') + 1);
}

/// The space of the values of meanings that need no more than that.
std::optional<Space> space_of(Meaning meaning) {
  switch (meaning) {
    case Meaning::node:
      return Space::node;
    case Meaning::ns:
      return Space::ns;
    case Meaning::pod:
      return Space::pod;
    case Meaning::claim:
      return Space::claim;
    case Meaning::container:
      return Space::container;
    case Meaning::volume:
      return Space::volume;
    case Meaning::volume_claim:
      return Space::volume_claim;
    case Meaning::persistent_volume:
      return Space::persistent_volume;
    case Meaning::disk:
      return Space::disk;
    case Meaning::queue:
      return Space::queue;
    case Meaning::flavor:
      return Space::flavor;
    case Meaning::group:
      return Space::owner;
    case Meaning::storage_class:
      return Space::storage_class;
    case Meaning::runtime_class:
      return Space::runtime_class;
    case Meaning::device_class:
      return Space::device_class;
    case Meaning::scheduler:
      return Space::scheduler;
    case Meaning::priority_class:
      return Space::priority_class;
    case Meaning::gate:
      return Space::gate;
    case Meaning::uid:
      return Space::uid;
    case Meaning::device:
      return Space::device;
    case Meaning::port_name:
      return Space::port;
    case Meaning::address:
      return Space::address;
    case Meaning::label_key:
      return Space::label_key;
    case Meaning::word:
      return Space::word;
    default:
      return std::nullopt;
  }
}

}  // namespace

void Redactor::learn(const json& object) { object_of(object); }

json Redactor::redacted(const json& object) { return object_of(object); }

Gap Redactor::redacted(const Gap& gap) const {
  // Help names users, servers and commands; what is missing stands in `what` and `why`.
  Gap result{.what = gap_text(gap.what),
             .why = gap_text(gap.why),
             .help = "",
             .about = gap.about,
             .missing = gap.missing};
  for (const std::string& node : gap.nodes) result.nodes.push_back(gap_text(node));
  return result;
}

json Redactor::object_of(const json& object) {
  kind_ = text_in(object, "kind");
  const Field* const fields = fields_of_kind(kind_, text_in(object, "apiVersion"));
  if (fields == nullptr) return nullptr;
  json result = members(object, *fields);
  result["apiVersion"] = object["apiVersion"];  // of a kind that fields_of_kind() knows
  result["kind"] = kind_;
  return result;
}

json Redactor::members(const json& value, const Field& field) {
  json result = json::object();
  for (const auto& [name, member] : field.members) {
    const auto found = value.find(name);
    if (found == value.end()) continue;
    if (json part = walk(*found, member); !part.is_null()) result[name] = std::move(part);
  }
  return result;
}

json Redactor::walk(const json& value, const Field& field) {
  switch (field.meaning) {
    case Meaning::fields: {
      if (!value.is_array()) return members(value, field);
      json result = json::array();
      for (const json& element : value) result.push_back(members(element, field));
      return result;
    }
    case Meaning::presence:
      return json::object();
    case Meaning::reference:
      return reference(value);
    case Meaning::quotas:
      return quotas(value);
    case Meaning::flavors:
      return flavors(value);
    case Meaning::labels:
      return labels(value);
    case Meaning::metric_labels:
      return metric_labels(value);
    case Meaning::annotations:
      return annotations(value);
    case Meaning::resources:
      return resources(value);
    case Meaning::amounts:
      return amounts(value);
    case Meaning::attributes:
      return attributes(value);
    case Meaning::requirements:
    case Meaning::field_requirements:
      return requirements(value, field.meaning);
    case Meaning::taints:
      return taints(value);
    case Meaning::owners:
      return owners(value);
    case Meaning::users:
      return users(value);
    default: {
      if (!value.is_array()) return scalar(value, field.meaning);
      json result = json::array();
      for (const json& element : value)
        if (json part = scalar(element, field.meaning); !part.is_null())
          result.push_back(std::move(part));
      return result;
    }
  }
}

json Redactor::scalar(const json& value, Meaning meaning) {
  if (meaning == Meaning::number) return harmless(value);
  if (meaning == Meaning::reading)
    return value == "NaN" || value == "+Inf" || value == "-Inf" ? value : harmless(value);
  // A number where a text is expected.
  if (!value.is_string())
    return value.is_boolean() || is_short_number(value.dump()) ? value : json();
  const auto shown = text(value.get_ref<const std::string&>(), meaning);
  return shown ? json(*shown) : json();
}

std::optional<std::string> Redactor::text(const std::string& text, Meaning meaning) {
  if (const auto space = space_of(meaning)) return names_.of(*space, text);
  switch (meaning) {
    case Meaning::own_name:
      return object_name(kind_, text);
    case Meaning::version:
      return version(text);
    case Meaning::message:
      return message(text);
    case Meaning::request:
      return request(text);
    case Meaning::image:
      return image(text);
    case Meaning::exporter:
      return exporter(text);
    case Meaning::metric:
      return text;
    case Meaning::provider_id:
      return provider_id(text);
    case Meaning::driver:
      return driver(text);
    case Meaning::resource:
      return resource(text);
    case Meaning::pool:
      return pool(text);
    case Meaning::attribute:
      return attribute(text);
    case Meaning::device_id:
      return device_id(text);
    case Meaning::device_name:
      return device_name(text);
    case Meaning::cel:
      return cel(text);
    default:
      return std::nullopt;
  }
}

json Redactor::labels(const json& value) {
  json result = json::object();
  for (const auto& [key, each] : value.items())
    result[label_key(key)] =
        each.is_string() ? json(label_value(key, each.get_ref<const std::string&>())) : json("");
  return result;
}

json Redactor::annotations(const json& value) {
  json result = json::object();
  for (const auto& [key, each] : value.items()) {
    if (!each.is_string()) continue;
    const auto& text = each.get_ref<const std::string&>();
    if (const auto shown = typed_annotation(key, text))
      result[key] = *shown;
    else if (key == "pod-group-name" || key.ends_with("/group-name"))
      result[key] = object_name("PodGroup", text);
    else if (annotation(key, kShortNumber) == key && key.find(' ') == std::string::npos)
      result[key] = annotation(text, digits_of_annotation(key));
  }
  return result;
}

json Redactor::resources(const json& value) {
  json result = json::object();
  for (const auto& [name, each] : value.items())
    if (json amount = harmless(each); !amount.is_null()) result[resource(name)] = std::move(amount);
  return result;
}

json Redactor::amounts(const json& value) {
  json result = json::object();
  for (const auto& [name, each] : value.items()) {
    json& shown = result[attribute(name)];
    if (!each.is_object()) {
      shown = harmless(each);
      continue;
    }
    shown = json::object();
    if (const auto amount = each.find("value"); amount != each.end())
      shown["value"] = harmless(*amount);
    if (const auto policy = each.find("requestPolicy"); policy != each.end()) {
      shown["requestPolicy"] = json::object();
      if (const auto usual = policy->find("default"); usual != policy->end())
        shown["requestPolicy"]["default"] = harmless(*usual);
    }
  }
  return result;
}

json Redactor::attributes(const json& value) {
  json result = json::object();
  for (const auto& [name, each] : value.items()) {
    json& shown = result[attribute(name)] = json::object();
    for (const auto& [type, content] : each.items()) {
      if (!content.is_string()) {
        if (content.is_boolean() || is_short_number(content.dump(), kMemoryNumber))
          shown[type] = content;
        continue;
      }
      const auto& text = content.get_ref<const std::string&>();
      shown[type] = type == "version" ? version(text) : attribute_value(name, text);
    }
  }
  return result;
}

/// What CEL compares an attribute with is decided in the same way, by the text alone.
std::string Redactor::attribute_value(std::string_view name, std::string_view text) {
  // Under a hidden name nobody would know it for an identity the second time.
  const bool is_open = is_known(Space::attribute, name) || is_known(Space::attribute, bare(name));
  if (is_identity(bare(name)))
    return is_open ? device_id(text) : names_.of(Space::label_value, text);
  return is_hardware_text(text) || is_hardware_name(text) ? std::string(text)
                                                          : names_.of(Space::label_value, text);
}

json Redactor::requirements(const json& value, Meaning meaning) {
  json result = json::array();
  for (const json& each : value) {
    const std::string key = text_in(each, "key");
    const bool is_node_name = meaning == Meaning::field_requirements && key == "metadata.name";
    json shown = {{"key", is_node_name ? key : names_.of(Space::label_key, key)},
                  {"operator", names_.of(Space::word, text_in(each, "operator"))}};
    if (const auto values = each.find("values"); values != each.end()) {
      shown["values"] = json::array();
      for (const json& one : *values)
        if (one.is_string()) {
          const auto& text = one.get_ref<const std::string&>();
          shown["values"].push_back(is_node_name ? names_.of(Space::node, text)
                                                 : label_value(key, text));
        }
    }
    result.push_back(std::move(shown));
  }
  return result;
}

json Redactor::taints(const json& value) {
  json result = json::array();
  for (const json& each : value) {
    const std::string key = text_in(each, "key");
    json shown = json::object();
    if (!key.empty()) shown["key"] = names_.of(Space::label_key, key);
    for (const char* const name : {"operator", "effect"})
      if (each.contains(name)) shown[name] = names_.of(Space::word, text_in(each, name));
    if (each.contains("value")) shown["value"] = label_value(key, text_in(each, "value"));
    for (const char* const name : {"tolerationSeconds", "timeAdded"})
      if (each.contains(name)) shown[name] = harmless(each[name]);
    result.push_back(std::move(shown));
  }
  return result;
}

json Redactor::owners(const json& value) {
  json result = json::array();
  for (const json& each : value) {
    const std::string kind = text_in(each, "kind");
    const std::string version = text_in(each, "apiVersion");
    const bool is_common = !version.empty() && is_known_kind(kind, version);
    json shown = {{"apiVersion", is_common ? version : "example.com/v1"},
                  {"kind", is_common ? kind : foreign_kind(kind, version)},
                  {"name", object_name(is_common ? kind : "", text_in(each, "name"))}};
    if (each.contains("uid")) shown["uid"] = names_.of(Space::uid, text_in(each, "uid"));
    if (each.contains("controller")) shown["controller"] = harmless(each["controller"]);
    result.push_back(std::move(shown));
  }
  return result;
}

json Redactor::users(const json& value) {
  json result = json::array();
  for (const json& each : value) {
    const bool is_pod = text_in(each, "resource") == "pods";
    result.push_back({{"resource", is_pod ? "pods" : "others"},
                      {"name", object_name(is_pod ? "Pod" : "", text_in(each, "name"))},
                      {"uid", names_.of(Space::uid, text_in(each, "uid"))}});
  }
  return result;
}

}  // namespace gpu::input
