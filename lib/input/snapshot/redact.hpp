#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "input/snapshot/metric_labels.hpp"
#include "input/snapshot/pseudonyms.hpp"
#include "input/snapshot/trim_fields.hpp"
#include "model/objects/gap.hpp"

namespace gpu::input {

/// Hides whose cluster it is, so that a snapshot can be shown to anybody: names, addresses, labels,
/// images and messages are replaced by numbers, the same everywhere, or dropped. What is not known
/// to be safe is not kept. What was redacted once comes out as it is.
class Redactor {
 public:
  /// First of all, each object of the snapshot, trimmed.
  void learn(const nlohmann::json& object);
  /// Then once, when there are no more.
  void settle() { names_.settle(); }
  /// Then each object again: as it may be shown.
  nlohmann::json redacted(const nlohmann::json& object);
  [[nodiscard]] Gap redacted(const Gap& gap) const;
  /// "v1.36.1": what a vendor appends is dropped; empty where that looks like an address.
  static std::string version(std::string_view text);

 private:
  nlohmann::json object_of(const nlohmann::json& object);
  nlohmann::json walk(const nlohmann::json& value, const Field& field);
  nlohmann::json members(const nlohmann::json& value, const Field& field);
  nlohmann::json scalar(const nlohmann::json& value, Meaning meaning);
  std::optional<std::string> text(const std::string& text, Meaning meaning);

  nlohmann::json labels(const nlohmann::json& value);
  nlohmann::json annotations(const nlohmann::json& value);
  nlohmann::json resources(const nlohmann::json& value);
  nlohmann::json amounts(const nlohmann::json& value);
  nlohmann::json attributes(const nlohmann::json& value);
  nlohmann::json requirements(const nlohmann::json& value, Meaning meaning);
  nlohmann::json taints(const nlohmann::json& value);
  nlohmann::json owners(const nlohmann::json& value);
  nlohmann::json users(const nlohmann::json& value);

  std::string label_key(std::string_view key);
  std::string label_value(std::string_view key, std::string_view value);
  std::string object_name(std::string_view kind, std::string_view name);
  std::string pod_group(std::string_view name);
  std::string driver(std::string_view name);
  std::string resource(std::string_view name);
  std::string pool(std::string_view name);
  std::string attribute(std::string_view name);
  std::string attribute_value(std::string_view name, std::string_view text);
  std::string request(std::string_view name);
  std::string device_id(std::string_view id);
  std::string device_name(std::string_view name);
  std::string provider_id(std::string_view id);
  std::string image(std::string_view name);

  // In redact_metrics.cpp.
  nlohmann::json metric_labels(const nlohmann::json& value);
  std::string metric_label_value(MetricLabel label, const std::string& value);
  std::string host(std::string_view name);
  std::string address(std::string_view text);
  std::string exporter(std::string_view text);
  std::string scrape_name(std::string_view name);

  // In redact_scheduling.cpp.
  std::optional<std::string> typed_annotation(std::string_view key, std::string_view value);
  nlohmann::json reference(const nlohmann::json& value);
  std::string foreign_kind(std::string_view kind, std::string_view api_version);
  nlohmann::json quotas(const nlohmann::json& value);
  nlohmann::json flavors(const nlohmann::json& value);
  std::string quota_name(std::string_view name);

  // In redact_text.cpp.
  std::string annotation(std::string_view text, std::size_t most_digits);
  std::string annotation_word(std::string_view word, std::size_t most_digits);
  std::string cel(std::string_view text);
  [[nodiscard]] std::optional<std::string> message(std::string_view text) const;
  [[nodiscard]] std::optional<std::string> message_word(std::string_view word) const;
  [[nodiscard]] std::optional<std::string> named_after(std::string_view lead,
                                                       std::string_view word) const;
  [[nodiscard]] std::optional<std::string> kind_and_name(std::string_view kind,
                                                         std::string_view name) const;
  [[nodiscard]] std::string gap_text(std::string_view text) const;

  Pseudonyms names_;
  std::string kind_;  ///< of the object at hand
};

}  // namespace gpu::input
