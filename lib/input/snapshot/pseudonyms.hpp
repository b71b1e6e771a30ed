#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gpu::input {

/// What is numbered by itself: names of one space never mix with those of another.
enum class Space {
  node,
  ns,
  pod,
  claim,
  owner,
  container,
  request,
  volume,
  volume_claim,
  persistent_volume,
  disk,
  queue,
  flavor,
  storage_class,
  runtime_class,
  device_class,
  scheduler,
  priority_class,
  gate,
  uid,
  image,
  provider,
  driver,
  gpu_driver,
  pool,
  device,
  attribute,
  resource,
  gpu_resource,
  label_key,
  label_value,
  word,
  kind,
  slice,
  port,
  host,     ///< that is no node's and no pod's
  address,  ///< of IP
};
inline constexpr std::size_t kSpaces = static_cast<std::size_t>(Space::address) + 1;

/// Numbers in place of names: first learns all of them, then gives each its own. They are numbered
/// as the names sort, and with leading zeros, so that what was sorted stays sorted, and so that
/// pseudonyms that are replaced again stay as they are. The names that everybody has
/// (`kube-system`) stay too.
class Pseudonyms {
 public:
  /// Before settle(): learns `name`, and gives it back. After: what stands in its place; `name` has
  /// been learned.
  std::string of(Space space, std::string_view name);
  /// What stands in the place of `name`, or nothing where it was not learned. Not before settle().
  [[nodiscard]] std::optional<std::string> find(Space space, std::string_view name) const;
  /// All names are known now.
  void settle();
  [[nodiscard]] bool is_settled() const { return is_settled_; }

 private:
  using Names = std::map<std::string, std::string, std::less<>>;
  void number(Space space);
  [[nodiscard]] Names& in(Space space) { return names_[static_cast<std::size_t>(space)]; }
  [[nodiscard]] const Names& in(Space space) const {
    return names_[static_cast<std::size_t>(space)];
  }

  std::array<Names, kSpaces> names_;  ///< each with its pseudonym
  std::array<std::set<std::string, std::less<>>, kSpaces> kept_;
  bool is_settled_ = false;
};

}  // namespace gpu::input
