#include "kube/collect/namespaces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "kube/read/item_reader.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::kube {

NamespaceList list_namespaces(ListBatch batch) {
  NamespaceList listed;
  batch.add(list_path("/api/v1/namespaces", {}),
            ItemReader::of_objects("NamespaceList", [&listed](const nlohmann::json& object) {
              static const nlohmann::json::json_pointer kName("/metadata/name");
              if (object.contains(kName) && object[kName].is_string())
                listed.names.push_back(object[kName].get<std::string>());
            }));
  listed.reply = std::move(batch.run().front());
  return listed;
}

std::optional<std::vector<std::string>> namespaces_by(ListBatch batch) {
  NamespaceList listed = list_namespaces(std::move(batch));
  if (!listed.reply.ok()) return std::nullopt;
  return std::move(listed.names);
}

bool may_be_all(const std::vector<std::string>& namespaces) {
  static constexpr std::array<std::string_view, 2> kOfEach = {"kube-system", "default"};
  return std::all_of(kOfEach.begin(), kOfEach.end(), [&](std::string_view each) {
    return std::find(namespaces.begin(), namespaces.end(), each) != namespaces.end();
  });
}

}  // namespace gpu::kube
