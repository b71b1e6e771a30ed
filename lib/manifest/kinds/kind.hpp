#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "manifest/fit/request.hpp"

namespace gpu::manifest {

/// What a name may be: a DNS label, or one that begins with a letter, as Services need it.
enum class NameForm { dns_1123, dns_1035 };

/// What the longest object that is named after it leaves to a name.
struct NameRule {
  NameForm form = NameForm::dns_1123;
  std::size_t most = 63;
  std::string_view why = {};  ///< what its length is for, where it is less than 63
};

/// What a flag says of one kind, where that is not what it says of the others.
struct FlagMeaning {
  std::string_view flag;  ///< "--gpus"
  std::string_view help;
};

/// A kind of manifest: what help, completion and `gen` know of it.
struct GenKind {
  std::string_view word;     ///< "job"
  std::string_view kind;     ///< "Job"
  std::string_view group;    ///< "batch"
  std::string_view summary;  ///< one line, no full stop
  std::string_view example;  ///< the words behind `gen job NAME`
  std::string_view
      install;  ///< what serves the kind, where Kubernetes does not: "Kubeflow Notebooks"
  NameRule name;
  OptionSet options;
  /// The objects, in the order in which they are to be created. Throws Error{usage}.
  Documents (*make)(GenRequest& request);
  std::vector<FlagMeaning> meanings = {};
};

/// What a person may give to every kind whose pods ask for GPUs.
inline constexpr OptionSet kPodOptions = {
    Option::image,   Option::command,       Option::env,
    Option::gpus,    Option::mig,           Option::gpu_model,
    Option::shared,  Option::cpu_only,      Option::size,
    Option::shm,     Option::place,         Option::priority,
    Option::volumes, Option::runtime_class, Option::service_account,
    Option::spot};

/// All kinds, in the order of help.
std::span<const GenKind* const> gen_kinds();

/// The kind with this word or Kubernetes' own name, letter case aside; null where there is none.
const GenKind* find_gen_kind(std::string_view word);

/// A manifest, and what is to be said beside it.
struct Generated {
  Documents documents;
  std::vector<GenNote> notes;
  /// Objects with the same pods, where why-pending -f does not know what the kind's controller
  /// creates; empty: the documents themselves are judged.
  Documents judged_as;
};

/// The manifest of a kind, fitted to what is known. Throws Error{usage} for a name that the kind
/// cannot carry, for what the cluster does not have, and for options that contradict each other.
Generated generate(const GenKind& kind, const GenOptions& options, const ClusterFacts& facts);

}  // namespace gpu::manifest
