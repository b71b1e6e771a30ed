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

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMost ? text + ", ..." : text;
}

}  // namespace gpu::kube
