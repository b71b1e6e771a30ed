#include "kube/collect/namespaces.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>

#include "kube/read/item_reader.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::kube {

std::optional<std::vector<std::string>> namespaces_by(ListBatch batch) {
  std::vector<std::string> names;
  batch.add(list_path("/api/v1/namespaces", {}),
            ItemReader::of_objects("NamespaceList", [&names](const nlohmann::json& object) {
              static const nlohmann::json::json_pointer kName("/metadata/name");
              if (object.contains(kName) && object[kName].is_string())
                names.push_back(object[kName].get<std::string>());
            }));
  if (!batch.run().front().ok()) return std::nullopt;
  return names;
}

}  // namespace gpu::kube
