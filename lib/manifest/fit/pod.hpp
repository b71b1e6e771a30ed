#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifest/fit/accelerator.hpp"
#include "manifest/fit/placement.hpp"
#include "manifest/fit/request.hpp"
#include "manifest/fit/sizing.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Whether the container gets a CPU limit beside its request: a limit slows data loaders down, and
/// some controllers need one.
enum class CpuLimit { none, as_requested };

/// Who mounts /dev/shm: we, or a controller that would refuse a second one.
enum class Shm { ours, of_controller };

/// Whether pods ask for the GPUs that were asked for: a launcher or a head runs beside them.
enum class Gpus { as_asked, none };

/// What the container may do: no more than any program, or what its image was made for, as sshd
/// that changes to the user of a session.
enum class Privileges { dropped, of_image };

/// What a kind wants of its pods.
struct PodShape {
  std::string container = "main";     ///< its name
  std::string_view usual_image = {};  ///< without --image; empty: --image has to be given
  Gpus gpus = Gpus::as_asked;
  std::string_view cpu = "1";       ///< of pods without GPUs
  std::string_view memory = "2Gi";  ///< of these, too
  std::string_view shm_size = {};   ///< of these, too; empty: the runtime's 64 MiB do
  Workload workload = Workload::training;
  CpuLimit cpu_limit = CpuLimit::none;
  Shm shm = Shm::ours;
  Privileges privileges = Privileges::dropped;
  std::string restart_policy = {};  ///< empty: not written
  std::optional<std::int64_t> grace_seconds = {};
  bool injects_services = true;  ///< false: enableServiceLinks: false
  std::vector<std::string> command = {};
  std::vector<std::string> args = {};
  Tree ports = Tree::list();
  Tree env = Tree::list();  ///< before that of the options
  Tree probes = {};         ///< and hooks: fields of the container
  Tree mounts = Tree::list();
  Tree volumes = Tree::list();
  Tree labels = {};       ///< of the pod
  Tree annotations = {};  ///< too
};

/// The parts of one pod template, as all kinds use them.
class PodParts {
 public:
  /// Chooses resource, sizes and place, and adds to `request` what the pods need first. Throws
  /// Error{usage}. Refers to `request`.
  PodParts(GenRequest& request, PodShape shape);

  [[nodiscard]] const Accelerator& accelerator() const { return accelerator_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  /// Whether the GPUs come by a claim, and not by limits.
  [[nodiscard]] bool uses_claims() const;

  /// Fields of the pod's spec beside containers and volumes.
  [[nodiscard]] Tree pod_fields() const;
  /// The container without its name: image, command, env, resources, probes, mounts.
  [[nodiscard]] Tree container_fields() const;
  [[nodiscard]] Tree volumes() const;
  /// A whole spec.
  [[nodiscard]] Tree spec() const;
  /// {metadata, spec}.
  [[nodiscard]] Tree pod_template() const;
  [[nodiscard]] Tree resources() const;

 private:
  [[nodiscard]] Tree env() const;
  [[nodiscard]] Tree mounts() const;

  GenRequest& request_;
  PodShape shape_;
  Accelerator accelerator_;
  Sizes sizes_;
  PlacementFields placement_;
};

/// {name, namespace, labels, annotations} of an object of the request; `kept` labels come first.
Tree metadata_of(const GenRequest& request, std::string_view name, Tree labels = {},
                 Tree annotations = {});

/// {apiVersion, kind, metadata}: what every object begins with.
Tree object_of(std::string_view api_version, std::string_view kind, Tree metadata);

/// {app.kubernetes.io/name}: what selects the pods of the request.
Tree app_labels(const GenRequest& request);

/// These, and Kueue's label: for the object itself, never for its pods.
Tree queued_labels(const GenRequest& request);

/// Where the pods see --script: "/scripts/train.py".
std::string script_path(const GenRequest& request);

}  // namespace gpu::manifest
