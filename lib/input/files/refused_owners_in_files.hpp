#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "kube/read/needs.hpp"

namespace gpu::input {

/// Finds in files the objects whose pods are refused, and puts them into
/// SchedulingFacts::refused_owners. One that is not there is gone where the file has others of its
/// kind, or is a snapshot for which all were asked for.
class RefusedOwnersInFiles {
 public:
  /// Looks at each object that is read.
  void take(const nlohmann::json& object, std::string_view api_version, std::string_view kind);
  /// Once all are read.
  void finish(SchedulingFacts& facts);

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // namespace, kind, name
  std::map<Key, RefusedOwner> found_;
  std::set<std::string> kinds_;
};

}  // namespace gpu::input
