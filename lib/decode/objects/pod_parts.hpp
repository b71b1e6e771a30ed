#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decode/objects/metadata.hpp"
#include "model/objects/pod.hpp"

namespace gpu::decode {

/// What the two forms of a pod say of its ResourceClaims before they are put together.
struct ClaimReferences {
  /// One entry of spec.resourceClaims.
  struct Reference {
    std::string name;
    std::string claim;           ///< resourceClaimName; empty for a template
    std::string claim_template;  ///< resourceClaimTemplateName
  };
  /// One entry of status.resourceClaimStatuses.
  struct Made {
    std::string name;
    std::string claim;  ///< empty: the pod needs no claim for it
  };
  std::vector<Reference> references;
  std::vector<Made> made;
};

/// What the two forms of a pod say of a container's `state` or `lastState`.
struct ContainerState {
  bool waits = false;
  std::string waiting;  ///< the reason
  std::string waiting_message;
  std::string terminated;  ///< the reason
  std::string terminated_message;
  std::optional<Time> running_since;
  std::optional<Time> started_at;  ///< of the terminated run, as the next
  std::optional<Time> terminated_at;
};
/// The last state says why a container that waits was stopped; of others it is old.
void set_states(ContainerResourceStatus& status, ContainerState&& now, ContainerState&& last);

/// What an entry of a container's restartPolicyRules does.
void add_restart_rule(Container& container, std::string_view action);

/// Whether its image is called an exporter: of others no command is read.
bool may_be_exporter(const Container& container);

/// Whether a variable of a container's environment shows it all GPUs of its node: what NVIDIA's
/// runtime reads.
bool shows_all_gpus(std::string_view name, std::string_view value);

/// How often an exporter measures, by its command line and environment.
class CollectInterval {
 public:
  /// The next word of its command, then of its arguments.
  void add_word(std::string_view word);
  /// An entry of `env`; a word of the command line counts before it.
  void add_variable(std::string_view name, std::string_view value);
  /// Milliseconds, as dcgm-exporter reads them; nothing where nobody says it.
  [[nodiscard]] std::optional<std::chrono::milliseconds> value() const;

 private:
  void set_word(std::string_view value);

  bool is_value_next_ = false;
  std::optional<std::chrono::milliseconds> word_;
  std::string word_variable_;  ///< of a word that names one: "INTERVAL"
  std::optional<std::chrono::milliseconds> variable_;
  std::map<std::string, std::chrono::milliseconds> variables_;
};

/// An empty map and none are the same bytes in protobuf, so they are the same for us.
std::optional<ResourceList> unless_empty(ResourceList&& list);

/// Moves `metadata` into `pod`.
void set_metadata(Pod& pod, Metadata&& metadata);

/// What follows from several fields together: names of claims, of those of ephemeral volumes, too,
/// and the state of a resize.
void complete(Pod& pod, ClaimReferences&& claims);

}  // namespace gpu::decode
