#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cmd/shell/env.hpp"
#include "cmd/shell/flags.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::cmd {

/// -f, -k and -R, as typed.
struct ManifestFlags {
  std::vector<std::string> files;
  std::vector<std::string> kustomize;
  bool recursive = false;
  [[nodiscard]] bool is_given() const { return !files.empty() || !kustomize.empty(); }
};

/// Adds the three flags. `does` is what the command does with a manifest, as help says it: "price".
void add_manifest_flags(FlagSet& flags, ManifestFlags& to, std::string_view does);

/// What the files of -f and -k would create, and what could not be read of them.
struct Manifests {
  PlannedObjects planned;
  std::vector<Error> errors;                ///< one for each bad file, with its line
  std::vector<std::string> unread_folders;  ///< -R would read them
};

/// Throws Error{usage} for -R without -f.
void check_manifest_flags(const ManifestFlags& flags);

/// Reads -f and -k; `ns` is where objects without a namespace go. A bad file does not hide the
/// others. `otherwise` is the command that reads stdin where kubectl is missing: "kubectl gpu cost
/// -f -".
Manifests read_manifests(const ManifestFlags& flags, const std::string& ns,
                         std::string_view otherwise, const Env& env);

/// Of manifests that create no pods. Throws the error of the only bad file; where no file is bad,
/// Error{usage} that says why there are no pods.
void refuse_without_pods(const ManifestFlags& flags, const Manifests& read);

/// Prints the errors, and which folders were not read.
void print_faults(const Manifests& read, const GlobalFlags& flags, Env& env);

}  // namespace gpu::cmd
