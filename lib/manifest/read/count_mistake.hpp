#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "manifest/read/mistake.hpp"

namespace gpu::manifest {

/// A count that no API server takes.
struct CountMistake {
  enum class Kind { not_whole, out_of_range } kind = Kind::not_whole;
  nlohmann::json::json_pointer at;  ///< in the object: "/spec/replicas"
  std::string problem;              ///< "expected a whole number, got 1.5"
  std::string help;                 ///< "write a whole number"
};

/// The first of the counts, limits and deadlines that are read of this kind (replicas, parallelism,
/// backoffLimit, ...) that is no whole number, is below what its type or its CRD allows, or has no
/// room in its type. Of kinds that are not known nothing is.
std::optional<CountMistake> mistake_in_counts(const nlohmann::json& object, const KindName& name);

}  // namespace gpu::manifest
