#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpu {

/// A small map from string to Value, sorted by key in one vector: labels and resource lists have a
/// few dozen entries, are built once, and are copied often.
template <class Value>
class FlatMap {
 public:
  using Entry = std::pair<std::string, Value>;
  using const_iterator = typename std::vector<Entry>::const_iterator;

  FlatMap() = default;
  FlatMap(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries) set(entry.first, entry.second);
  }

  /// Null when there is no such key.
  [[nodiscard]] const Value* find(std::string_view key) const {
    const auto at = lower_bound(key);
    return at != entries_.end() && at->first == key ? &at->second : nullptr;
  }
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }

  /// The last value set for a key stays, as in a protobuf map and in JSON as Go reads it.
  void set(std::string_view key, Value value) { (*this)[key] = std::move(value); }

  /// The value of `key`, made by default where it is new.
  Value& operator[](std::string_view key) {
    auto at = entries_.begin() + (lower_bound(key) - entries_.cbegin());
    if (at == entries_.end() || at->first != key)
      at = entries_.emplace(at, std::string(key), Value{});
    return at->second;
  }

  [[nodiscard]] const_iterator begin() const { return entries_.begin(); }
  [[nodiscard]] const_iterator end() const { return entries_.end(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }

  friend bool operator==(const FlatMap&, const FlatMap&) = default;

 private:
  [[nodiscard]] const_iterator lower_bound(std::string_view key) const {
    return std::lower_bound(entries_.begin(), entries_.end(), key,
                            [](const Entry& entry, std::string_view k) { return entry.first < k; });
  }
  std::vector<Entry> entries_;
};

/// Labels, annotations: key to value.
using StringMap = FlatMap<std::string>;

/// The value of `key`, or an empty view; for labels, where absent and empty mean the same.
inline std::string_view value_of(const StringMap& map, std::string_view key) {
  const std::string* value = map.find(key);
  return value == nullptr ? std::string_view{} : std::string_view{*value};
}

}  // namespace gpu
