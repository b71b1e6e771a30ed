#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace gpu::kube {

/// What was read already: an object that comes twice, in one list or in two, counts once. A name is
/// kept as a number, or those of 100,000 pods would be most of what is in memory.
class NamesSeen {
 public:
  /// True for the first call with this name.
  bool is_new(std::string_view ns, std::string_view name) {
    std::string key(ns);
    key.append("/").append(name);
    return hashes_.insert(std::hash<std::string>{}(key)).second;
  }

 private:
  std::unordered_set<std::size_t> hashes_;
};

}  // namespace gpu::kube
