#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/objects/claim.hpp"

namespace gpu::scheduler {

/// The request for which a device is tried: its name, and that of the alternative, if it is one.
struct RequestName {
  std::string_view request;
  std::string_view alternative;

  /// "gpus", or "gpus/large".
  [[nodiscard]] std::string whole() const;
};

/// matchAttribute or distinctAttribute of a claim while devices are chosen. Refers to the claim.
class ConstraintState {
 public:
  explicit ConstraintState(const DeviceConstraint& constraint) : constraint_(constraint) {}

  /// Whether the device may be added; it is, then.
  bool add(const RequestName& name, std::string_view driver, const Device& device);
  /// Undoes an add() that was allowed.
  void remove(const RequestName& name);

 private:
  /// An attribute's type and text: values of different types are not equal. One without a type is a
  /// list: for matchAttribute it equals no value, for distinctAttribute it differs from none.
  using Value = std::pair<std::optional<AttributeType>, std::string>;
  [[nodiscard]] bool is_about(const RequestName& name) const;
  [[nodiscard]] std::optional<Value> value_of(std::string_view driver, const Device& device) const;

  const DeviceConstraint& constraint_;
  std::int64_t devices_ = 0;
  Value common_;
  /// By request, as kube-scheduler keeps them: of two devices of a request only the last one.
  std::map<std::string, Value, std::less<>> seen_;
};

}  // namespace gpu::scheduler
