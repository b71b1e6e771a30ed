// Reads lines of JSON, each an expression and devices, and writes what the CEL evaluator makes of
// them, a line for a line: {"expression": "...", "devices": [{"driver": "...", "attributes":
// {"name": {"string"|"int"|"bool"|"version": ...}}, "capacity": {"memory": "8Gi"}}]} becomes
// ["yes", "no", "error: no such key: x", "not checked"].
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "scheduler/cel/selector.hpp"

namespace {

using gpu::AttributeType;
using gpu::Device;
using gpu::scheduler::CelOutcome;
using gpu::scheduler::CelSelector;
using nlohmann::json;

void add_attribute(Device& device, const std::string& name, const json& value) {
  if (value.contains("string")) device.attributes.set(name, value["string"]);
  if (value.contains("int")) {
    device.attributes.set(name, std::to_string(value["int"].get<std::int64_t>()));
    device.attribute_types.set(name, AttributeType::integer);
  }
  if (value.contains("bool")) {
    device.attributes.set(name, value["bool"].get<bool>() ? "true" : "false");
    device.attribute_types.set(name, AttributeType::boolean);
  }
  if (value.contains("version")) {
    device.attributes.set(name, value["version"]);
    device.attribute_types.set(name, AttributeType::version);
  }
}

/// The form in which the decoders keep it: the driver's own domain goes.
std::string stored(const std::string& name, const std::string& driver) {
  return name.starts_with(driver + "/") ? name.substr(driver.size() + 1) : name;
}

Device device_of(const json& from, const std::string& driver) {
  Device device{.name = "device"};
  device.allow_multiple = from.value("allowMultipleAllocations", false);
  const json attributes = from.value("attributes", json::object());
  for (const auto& [name, value] : attributes.items())
    add_attribute(device, stored(name, driver), value);
  const json capacity = from.value("capacity", json::object());
  for (const auto& [name, value] : capacity.items())
    device.capacity.set(stored(name, driver),
                        gpu::Quantity::parse(value.get<std::string>()).value());
  return device;
}

std::string text_of(const CelOutcome& outcome) {
  switch (outcome.kind) {
    case CelOutcome::Kind::no:
      return "no";
    case CelOutcome::Kind::yes:
      return "yes";
    case CelOutcome::Kind::error:
      return "error: " + outcome.text;
    case CelOutcome::Kind::not_checked:
      return "not checked";
  }
  return {};
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const json question = json::parse(line);
    const CelSelector selector(question["expression"].get<std::string>());
    json answers = json::array();
    for (const json& each : question["devices"]) {
      const std::string driver = each.value("driver", "");
      const Device device = device_of(each, driver);
      answers.push_back(text_of(selector.evaluate({driver, device})));
    }
    std::cout << answers.dump() << '\n';
  }
  return 0;
}
