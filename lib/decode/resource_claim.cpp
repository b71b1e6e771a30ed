#include "decode/resource_claim.hpp"

#include <optional>
#include <string>

#include "decode/json_fields.hpp"
#include "decode/metadata.hpp"
#include "decode/qualified_name.hpp"

namespace gpu::decode {
namespace {

/// Nothing when the request has no alternatives.
std::optional<JsonObject> first_choice(const JsonObject& request) {
  std::optional<JsonObject> first;
  request.each("firstAvailable", [&](const JsonObject& choice) {
    if (!first) first.emplace(choice);
  });
  return first;
}

DeviceRequest request_from_json(const JsonObject& object) {
  DeviceRequest request{.name = object.text("name")};
  const std::optional<JsonObject> exactly = object.object("exactly");
  const std::optional<JsonObject> choice = exactly ? exactly : first_choice(object);
  const JsonObject& asked = choice ? *choice : object;
  request.device_class = asked.text("deviceClassName");
  request.count = asked.long_number("count").value_or(1);
  request.wants_all = asked.text("allocationMode") == "All";
  request.admin_access = asked.flag("adminAccess");
  return request;
}

AllocatedDevice result_from_json(const JsonObject& object) {
  AllocatedDevice result;
  result.id = {object.text("driver"), object.text("pool"), object.text("device")};
  result.request = object.text("request");
  result.admin_access = object.flag("adminAccess");
  result.share_id = object.text("shareID");
  for (const auto& [name, amount] : object.resources("consumedCapacity"))
    result.consumed.set(without_domain(name, result.id.driver), amount);
  return result;
}

void read_status(ResourceClaim& claim, const JsonObject& status) {
  if (const auto allocation = status.object("allocation")) {
    claim.is_allocated = true;
    if (const auto devices = allocation->object("devices"))
      devices->each("results", [&](const JsonObject& result) {
        claim.devices.push_back(result_from_json(result));
      });
  }
  status.each("reservedFor", [&](const JsonObject& user) {
    if (user.text("resource") == "pods" && user.text("apiGroup").empty())
      claim.reserved_for.push_back({user.text("name"), user.text("uid")});
  });
}

}  // namespace

ResourceClaim resource_claim_from_json(const nlohmann::json& object) {
  ResourceClaim claim;
  naming_object("ResourceClaim", claim.ns, claim.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      claim.ns = metadata->text("namespace");
      claim.name = metadata->text("name");
      claim.uid = metadata->text("uid");
    }
    const auto spec = root.object("spec");
    if (const auto devices = spec ? spec->object("devices") : std::nullopt)
      devices->each("requests", [&](const JsonObject& request) {
        claim.requests.push_back(request_from_json(request));
      });
    if (const auto status = root.object("status")) read_status(claim, *status);
  });
  return claim;
}

}  // namespace gpu::decode
