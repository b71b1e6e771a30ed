#include "kube/manifest_file.hpp"

#include "base/error.hpp"
#include "decode/manifest.hpp"
#include "kube/files.hpp"

namespace gpu::kube {

std::vector<Pod> pods_in_manifest_file(const std::string& path, const std::string& name,
                                       const std::string& ns) {
  const FileContent file = read_file(path);
  if (!file.ok()) throw Error(ErrorKind::usage, file.problem);
  return decode::pods_in_manifest(file.bytes, name, ns);
}

}  // namespace gpu::kube
