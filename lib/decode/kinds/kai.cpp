#include "decode/kinds/kai.hpp"

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

/// What a bare number of a Queue means.
enum class Unit { whole, thousandths, megabytes };

/// A bound below 0 is none, and one that is left out is 0, as in Go.
std::optional<Quantity> bound_in(const std::optional<JsonObject>& source, std::string_view name,
                                 Unit unit) {
  const Quantity bound = source ? source->quantity(name).value_or(Quantity{}) : Quantity{};
  if (bound < Quantity{}) return std::nullopt;
  switch (unit) {
    case Unit::whole:
      return bound;
    case Unit::thousandths:
      return Quantity::of_milli(bound.value());
    case Unit::megabytes:
      return Quantity::of(capped_product(bound.value(), 1'000'000));
  }
  return bound;
}

KaiAllowance allowance_in(const std::optional<JsonObject>& resources, std::string_view member,
                          std::string_view resource, Unit unit) {
  const auto source = resources ? resources->object(member) : std::nullopt;
  return {.resource = std::string(resource),
          .quota = bound_in(source, "quota", unit),
          .limit = bound_in(source, "limit", unit)};
}

}  // namespace

// Units and absent members: pkg/apis/scheduling/v2 and queue_info.go of KAI.
KaiQueue kai_queue_from_json(const nlohmann::json& object) {
  KaiQueue queue;
  naming_object("Queue", {}, queue.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) queue.name = metadata->text("name");
    const auto spec = root.object("spec");
    if (spec) {
      queue.display_name = spec->text("displayName");
      queue.parent = spec->text("parentQueue");
    }
    const auto resources = spec ? spec->object("resources") : std::nullopt;
    queue.allowances = {allowance_in(resources, "gpu", "nvidia.com/gpu", Unit::whole),
                        allowance_in(resources, "cpu", "cpu", Unit::thousandths),
                        allowance_in(resources, "memory", "memory", Unit::megabytes)};
    const auto status = root.object("status");
    if (!status) return;
    if (status->has("allocated")) queue.allocated = status->resources("allocated");
    if (status->has("allocatedNonPreemptible"))
      queue.allocated_non_preemptible = status->resources("allocatedNonPreemptible");
  });
  return queue;
}

}  // namespace gpu::decode
