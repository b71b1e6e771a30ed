#include "decode/objects/resource_claim.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "decode/objects/device_class.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/selector.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/json_fields.hpp"
#include "decode/wire/qualified_name.hpp"

namespace gpu::decode {
namespace {

/// What stands in `asked`: in a request itself, in its `exactly`, or in one of its alternatives.
void read_request(DeviceRequest& request, const JsonObject& asked) {
  request.device_class = asked.text("deviceClassName");
  request.count = asked.long_number("count").value_or(1);
  request.wants_all = asked.text("allocationMode") == "All";
  request.admin_access = asked.flag("adminAccess");
  request.selectors = cel_selectors_in(asked);
  request.tolerations = tolerations_in(asked);
  if (const auto capacity = asked.object("capacity"))
    request.capacity = capacity->resources("requests");
}

DeviceRequest request_from_json(const JsonObject& object) {
  DeviceRequest request{.name = object.text("name")};
  if (const auto exactly = object.object("exactly")) {
    read_request(request, *exactly);
    return request;
  }
  object.each("firstAvailable", [&](const JsonObject& choice) {
    if (request.alternatives.empty()) read_request(request, choice);
    read_request(request.alternatives.emplace_back(), choice);
    request.alternatives.back().name = choice.text("name");
  });
  if (request.alternatives.empty()) read_request(request, object);
  return request;
}

DeviceConstraint constraint_from_json(const JsonObject& object) {
  return {object.texts("requests"), object.text("matchAttribute"),
          object.text("distinctAttribute")};
}

/// `spec.devices` of a claim, or of what a template makes.
template <class Claim>
void read_devices(Claim& claim, const JsonObject& spec) {
  const auto devices = spec.object("devices");
  if (!devices) return;
  devices->each("requests", [&](const JsonObject& request) {
    claim.requests.push_back(request_from_json(request));
  });
  devices->each("constraints", [&](const JsonObject& constraint) {
    claim.constraints.push_back(constraint_from_json(constraint));
  });
}

AllocatedDevice result_from_json(const JsonObject& object) {
  AllocatedDevice result;
  result.id = {object.text("driver"), object.text("pool"), object.text("device")};
  result.request = object.text("request");
  result.admin_access = object.flag("adminAccess");
  result.share_id = object.text("shareID");
  for (const auto& [name, amount] : object.resources("consumedCapacity"))
    result.consumed.set(without_domain(name, result.id.driver), amount);
  result.binding_conditions = object.texts("bindingConditions");
  result.binding_failure_conditions = object.texts("bindingFailureConditions");
  return result;
}

/// What status.devices says of each device: of several shares, the first one's.
void read_conditions(ResourceClaim& claim, const JsonObject& status) {
  std::map<DeviceId, std::vector<Condition>> said;
  status.each("devices", [&](const JsonObject& device) {
    const auto [at, is_first] = said.try_emplace(
        DeviceId{device.text("driver"), device.text("pool"), device.text("device")});
    if (!is_first) return;
    device.each("conditions", [&](const JsonObject& condition) {
      at->second.push_back(condition_from_json(condition));
    });
  });
  for (AllocatedDevice& device : claim.devices)
    if (const auto found = said.find(device.id); found != said.end())
      device.conditions = found->second;
}

void read_status(ResourceClaim& claim, const JsonObject& status) {
  if (const auto allocation = status.object("allocation")) {
    claim.is_allocated = true;
    if (const auto devices = allocation->object("devices"))
      devices->each("results", [&](const JsonObject& result) {
        claim.devices.push_back(result_from_json(result));
      });
    if (const auto selector = allocation->object("nodeSelector"))
      claim.node_selector = node_selector_from_json(*selector);
    claim.allocated_at = allocation->time("allocationTimestamp");
  }
  read_conditions(claim, status);
  status.each("reservedFor", [&](const JsonObject& user) {
    if (user.text("resource") == "pods" && user.text("apiGroup").empty())
      claim.reserved_for.push_back({user.text("name"), user.text("uid")});
    else
      claim.is_reserved_for_others = true;
  });
}

}  // namespace

ResourceClaim resource_claim_from_json(const nlohmann::json& object) {
  ResourceClaim claim;
  naming_object("ResourceClaim", claim.ns, claim.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata")) {
      Metadata metadata = metadata_from_json(*read, Annotations::none);
      claim.ns = std::move(metadata.ns);
      claim.name = std::move(metadata.name);
      claim.uid = std::move(metadata.uid);
      claim.deleted = metadata.deleted;
      if (const auto controller = controller_of(metadata.owners)) claim.owner_uid = controller->uid;
    }
    if (const auto spec = root.object("spec")) read_devices(claim, *spec);
    if (const auto status = root.object("status")) read_status(claim, *status);
  });
  return claim;
}

ClaimTemplate claim_template_from_json(const nlohmann::json& object) {
  ClaimTemplate made;
  naming_object("ResourceClaimTemplate", made.ns, made.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      made.ns = metadata->text("namespace");
      made.name = metadata->text("name");
    }
    const auto spec = root.object("spec");
    if (const auto inner = spec ? spec->object("spec") : std::nullopt) read_devices(made, *inner);
  });
  return made;
}

}  // namespace gpu::decode
