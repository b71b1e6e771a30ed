#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/manifests/manifests.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::cmd {

/// What `why-pending` takes, as typed.
struct WhyPendingFlags {
  std::vector<std::string> words;
  ManifestFlags manifests;
  std::string explain;  ///< a reason code
  bool all_namespaces = false;
  bool all = false;        ///< --all: fixes and notes that a brief answer leaves out
  bool all_nodes = false;  ///< --nodes: every node by name
  bool no_fold = false;
  MetricsFlags metrics;
  GlobalFlags global;
};

/// What -o offers: the forms of a table, and the patches of the fixes alone.
OutputForms pending_forms();

/// What is asked about: one pod or owner, files, or all that wait.
struct PendingQuestion {
  enum class About { all, pod, workload, file } about = About::all;
  std::string ns;  ///< of the pod or workload; of `all` where to look, empty: everywhere
  const WorkloadKind* kind = nullptr;  ///< of a workload; null otherwise
  std::string name;
  /// Of `about` pod: what stands before the slash; a namespace, or a kind that is not known here.
  std::string kind_word;
  /// Of the first of several names, the kind that it may be a slip of: `deply infer`.
  std::string like_kind = {};
  bool is_kind_meant = false;            ///< `kind_word` is no namespace: -n names another
  bool reads_files = false;              ///< --from: what is not in them does not exist
  bool is_namespace_given = false;       ///< by -n or NS/POD: not the context's
  std::optional<report::Format> format;  ///< nothing: the patches of the fixes alone
};

/// Whether a word can only be a file: it ends like a manifest or starts like a path.
bool is_path_word(std::string_view word);

/// Reads words and flags, one question for each name; `default_namespace` is the context's. Throws
/// Error{usage}.
std::vector<PendingQuestion> pending_questions(const WhyPendingFlags& flags,
                                               const std::string& default_namespace);

}  // namespace gpu::cmd
