#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.hpp"

namespace gpu::manifest {

/// One environment variable: a value, or where a Secret keeps it.
struct EnvVariable {
  std::string name;
  std::string value;
  std::string secret;  ///< empty: `value` counts
  std::string key;     ///< of the Secret
};

/// A PersistentVolumeClaim that exists, and where the pods see it.
struct MountedClaim {
  std::string claim;
  std::string path;
  bool is_read_only = false;
};

/// A toleration as kubectl writes taints: KEY[=VALUE][:EFFECT].
struct WantedToleration {
  std::string key;
  std::string value;
  std::string effect;
};

/// A file that becomes a ConfigMap.
struct Script {
  std::string name;  ///< "train.py"
  std::string text;
};

/// PATH=VALUE of --set.
struct SetValue {
  std::string path;
  std::string value;
};

using TextPairs = std::vector<std::pair<std::string, std::string>>;

/// What a manifest is to be, in types. What is not given is chosen by the kind and the cluster.
struct GenOptions {
  std::string name;
  std::string ns;  ///< empty: none is written
  TextPairs labels;
  TextPairs annotations;

  std::string image;
  std::vector<std::string> command;
  std::optional<Script> script;
  std::vector<EnvVariable> env;

  std::optional<std::int64_t> gpus;     ///< for each pod
  std::optional<std::int64_t> nodes;    ///< pods that work together
  std::vector<std::string> gpu_models;  ///< the best first
  std::string mig;                      ///< "1g.10gb"
  bool is_shared = false;               ///< a part of a time-sliced card, or of one under MPS
  bool is_cpu_only = false;
  bool uses_dra = false;

  std::optional<Quantity> cpu;  ///< of each pod
  std::optional<Quantity> memory;
  std::optional<Quantity> shm;

  TextPairs node_selector;
  std::vector<WantedToleration> tolerations;
  bool uses_spot = false;
  std::string queue;
  std::string priority_class;
  std::string runtime_class;
  std::string service_account;
  std::string runtime;  ///< a ClusterTrainingRuntime of Kubeflow Trainer

  std::optional<std::int64_t> deadline_seconds;
  std::optional<std::int64_t> retries;
  std::optional<std::int64_t> ttl_seconds;

  std::vector<MountedClaim> claims;

  std::string model;   ///< what is served: an id at Hugging Face, or a URI
  std::string preset;  ///< "vllm", "triton": which server, or which format
  std::optional<std::int64_t> replicas;
  std::optional<std::int64_t> min_replicas;
  std::optional<std::int64_t> max_replicas;
  std::optional<Quantity> storage;  ///< of the claim that is created beside
  std::string storage_class;
  std::optional<std::string> hf_secret;  ///< SECRET or SECRET/KEY with a token of Hugging Face

  std::string ray_version;                     ///< "2.52.0"; empty: the image's tag says it
  bool is_claimed_once = false;                ///< one claim for devices, which all pods share
  std::optional<std::int64_t> priority_value;  ///< of the PriorityClass that is created
  std::string preemption;                      ///< "never", "lower"; empty: by the name
  std::string access_mode;                     ///< "RWO", "RWX", "ROX", "RWOP"
  TextPairs selector;                          ///< labels of the pods that a budget is for
  std::string max_unavailable;                 ///< "1", "25%"
  std::string min_available;                   ///< the same
  std::string node_class;                      ///< GROUP/KIND/NAME
  std::string release;                       ///< the label by which a Prometheus finds its objects
  std::optional<std::int64_t> idle_seconds;  ///< how long a GPU may do nothing
  std::optional<std::int64_t> hot_celsius;   ///< the temperature that is too hot

  std::vector<SetValue> sets;
};

/// What of GenOptions a kind takes: a flag that it does not take is refused.
enum class Option : std::uint8_t {
  image,
  command,
  script,
  env,
  gpus,
  nodes,
  gpu_model,
  mig,
  shared,
  cpu_only,
  dra,
  size,
  shm,
  place,
  spot,
  queue,
  priority,
  runtime_class,
  service_account,
  deadline,
  retries,
  ttl,
  volumes,
  model,
  preset,
  replicas,
  autoscaling,
  storage,
  runtime,
  ray_version,
  claim_once,
  priority_value,
  access_mode,
  budget,
  node_class,
  release,
  idle,
  hot,
};

/// A set of options.
class OptionSet {
 public:
  constexpr OptionSet(std::initializer_list<Option> options) {
    for (const Option option : options) bits_ |= bit_of(option);
  }
  [[nodiscard]] constexpr bool contains(Option option) const {
    return (bits_ & bit_of(option)) != 0;
  }
  friend constexpr OptionSet operator|(OptionSet one, OptionSet other) {
    one.bits_ |= other.bits_;
    return one;
  }

 private:
  static constexpr std::uint64_t bit_of(Option option) {
    return std::uint64_t{1} << static_cast<unsigned>(option);
  }
  std::uint64_t bits_ = 0;
};

}  // namespace gpu::manifest
