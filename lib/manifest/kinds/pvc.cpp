#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/storage.hpp"

namespace gpu::manifest {
namespace {

struct AccessMode {
  std::string_view word;
  std::string_view mode;
  std::string_view comment;
};

constexpr std::array<AccessMode, 4> kAccessModes = {{
    {"RWO", "ReadWriteOnce", "pods of one node at a time; several nodes need ReadWriteMany"},
    {"RWX", "ReadWriteMany", "pods of several nodes; few StorageClasses have it"},
    {"ROX", "ReadOnlyMany", "pods of several nodes, which only read"},
    {"RWOP", "ReadWriteOncePod", "one pod at a time"},
}};

const AccessMode& access_mode_of(const GenOptions& options) {
  const std::string typed = options.access_mode.empty() ? "RWO" : options.access_mode;
  const auto* const at = std::find_if(
      kAccessModes.begin(), kAccessModes.end(),
      [&](const AccessMode& each) { return each.word == typed || each.mode == typed; });
  if (at != kAccessModes.end()) return *at;
  throw Error(ErrorKind::usage, fmt::format("there is no access mode `{}`", sanitize(typed)),
              "it is RWO, RWX, ROX or RWOP");
}

Documents make_pvc(GenRequest& request) {
  const GenOptions& options = request.options;
  if (!options.storage)
    throw Error(ErrorKind::usage, "--storage is missing",
                "for example --storage 200Gi: twice the size of the model that it keeps");
  const AccessMode& mode = access_mode_of(options);
  return {claim_of(
      request,
      {.name = options.name,
       .access_mode = mode.mode,
       .usual_size = {},
       .why = {std::string(mode.comment),
               "A volume that is ReadWriteOnce cannot be attached to two nodes: pods on the second "
               "wait with a Multi-Attach error.",
               "vllm-project/production-stack#107, kserve/kserve#3409"}})};
}

}  // namespace

const GenKind kPvcKind = {
    .word = "pvc",
    .kind = "PersistentVolumeClaim",
    .group = "",
    .summary = "storage for models, data or checkpoints",
    .example = "--storage 200Gi --access-mode RWX",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::storage, Option::access_mode},
    .make = make_pvc,
    .meanings = {{"--storage", "size of the claim"},
                 {"--storage-class", "a StorageClass; default: that of the cluster"}},
};

}  // namespace gpu::manifest
