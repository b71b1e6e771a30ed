#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace gpu::kube {

/// Finds objects that were read before: an object that comes twice, in one list or in two, counts
/// once. A name is stored as a number, because the names of 100,000 pods would need most of the
/// memory.
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
