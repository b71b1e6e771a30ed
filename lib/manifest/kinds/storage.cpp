#include "manifest/kinds/storage.hpp"

#include "manifest/fit/pod.hpp"

namespace gpu::manifest {

Tree claim_of(const GenRequest& request, const NewClaim& claim) {
  const GenOptions& options = request.options;
  Tree spec = Tree::map({{"accessModes", Tree::texts({std::string(claim.access_mode)})}});
  if (!options.storage_class.empty()) spec.set("storageClassName", options.storage_class);
  const std::string size =
      options.storage ? bytes_text(*options.storage) : std::string(claim.usual_size);
  spec.set("resources", Tree::map({{"requests", Tree::map({{"storage", size}}).on_one_line()}}));
  Tree object = object_of("v1", "PersistentVolumeClaim", metadata_of(request, claim.name));
  object.set("spec", std::move(spec), claim.why);
  return object;
}

}  // namespace gpu::manifest
