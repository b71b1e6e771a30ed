#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cmd/manifests/manifests.hpp"
#include "cmd/shell/env.hpp"
#include "cmd/shell/flags.hpp"
#include "manifest/fit/options.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cmd {

/// The flags of `fit`, as typed.
struct FitFlags {
  ManifestFlags manifests;
  std::optional<std::string> gpus;
  std::optional<std::string> model;
  std::optional<std::string> cpu;
  std::optional<std::string> memory;
  std::optional<std::string> replicas;
  std::optional<std::string> make_room;
  std::optional<std::string> priority_class;
  std::vector<std::string> prices;
  std::vector<std::string> price_files;
  GlobalFlags global;
};

/// What is asked of `fit`: flags as types.
struct FitQuestion {
  ManifestFlags manifests;  ///< none: `options` says what a pod is
  manifest::GenOptions options;
  std::int64_t replicas = 1;
  std::int64_t gpus = 0;    ///< of each pod, where there are no files
  bool makes_room = false;  ///< --make-room
  std::string ns;
};

/// Reads the flags. Throws Error{usage} for what does not go together.
FitQuestion fit_question(const FitFlags& flags, const Env& env);

/// The pods of a question without files. They are as `gen job` makes them for the cluster, of
/// which `snapshot` is null while it is not read. `notes` takes what was added to them.
PlannedObjects asked_pods(const FitQuestion& question, const Snapshot* snapshot,
                          std::vector<std::string>& notes);

/// Those of the files. Throws Error{usage} where they create none.
Manifests asked_manifests(const FitQuestion& question, const Env& env);

}  // namespace gpu::cmd
