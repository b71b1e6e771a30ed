#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>

#include "kube/read/needs.hpp"

namespace gpu::input {

/// Finds an object of Needs::workloads in files, and puts it into
/// SchedulingFacts::workload_objects.
class NamedInFiles {
 public:
  /// Refers to both.
  NamedInFiles(const kube::NamedWorkload& wanted, Snapshot& snapshot)
      : wanted_(wanted), snapshot_(snapshot) {}

  /// Looks at each object that is read.
  void take(const nlohmann::json& object, std::string_view api_version, std::string_view kind);
  /// Once all are read. Throws Error{usage} with the nearest name where the files hold others of
  /// the kind, and nothing that this one made.
  void finish(const std::string& path);

 private:
  [[nodiscard]] bool is_known() const;

  const kube::NamedWorkload& wanted_;
  Snapshot& snapshot_;
  std::set<std::string> names_;       ///< of the kind, where the object is looked for
  std::set<std::string> namespaces_;  ///< others that have one of its name
};

}  // namespace gpu::input
