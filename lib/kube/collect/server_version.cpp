#include "kube/collect/server_version.hpp"

#include <nlohmann/json.hpp>

namespace gpu::kube {

std::string server_version(Client& client) {
  const Reply reply = client.fetch(Request{.path = "/version"});
  if (!reply.ok()) return {};
  const nlohmann::json answer = nlohmann::json::parse(reply.body, nullptr, false);
  if (!answer.is_object()) return {};
  const auto version = answer.find("gitVersion");
  return version != answer.end() && version->is_string() ? version->get<std::string>() : "";
}

}  // namespace gpu::kube
